/** Statements that leave room for others like them. English. */

/** What one is busy with, has done or has in mind: one can be busy with, have done and have in mind other things too. */
const BUSY =
  /^(?:(?:and|so|but|also|now|currently|right now|today|well),? )*(?:(?:i['’]m|i am|we['’]re|we are|i was|we were) (?:\w+ )?(?:trying|working|building|considering|planning|thinking|looking|getting|struggling|learning|writing|hoping|making|creating|developing|designing|implementing|preparing|reviewing|focusing|aiming|going to|wondering|curious|worried|concerned|excited|confused|stuck|interested)\b|(?:i['’]ve|i have|we['’]ve|we have) (?:\w+ )?(?!lived|moved|relocated|settled|switched|changed|converted|become|turned|gone|quit|stopped|given|retired|graduated|married|divorced|separated|replaced|sold|left|traded|swapped|dropped|cancell?ed|transferred|decided)(?:\w{2,}ed|set|got|made|written|begun|built|done|read|seen|learnt|found|put|run)\b|(?:i|we) (?:just |also |recently |already )?(?:added|created|finished|completed|started|tried|wrote|built|made|set up|tested|fixed|read|learned|learnt|implemented|updated|reviewed|met|attended|scored|got|received|submitted|met|talked|discussed|noticed|found|need|want|have to|plan|hope|aim|wonder|think)\b|my (?:goal|plan|aim|next step|task) is to\b)/i
/** A standing instruction for one kind of question. */
const SOMETIMES = /^(?:please |and |also )*(?:always|never)\b.*\bwhen(?:ever)? (?:i|we)\b/i
/** Says that something is not, or not any more. */
const NEGATED = /\b(?:not|never|no longer|any ?more|quit|stopped|none|nothing|without|instead)\b|n['’]t\b/i

/** Whether a statement, by its build, rules out no other: “I'm trying to set up a database” says nothing against “I'm trying to draw a logo”. */
export function leavesRoom(text: string): boolean {
  return SOMETIMES.test(text) || (BUSY.test(text) && !NEGATED.test(text))
}

const CONDITION =
  /\b(?:when(?:ever)?|if|any ?time|every ?time|each time) (?:(?:I|we|you|the|a|my|it|there)\b|\w+ing\b)|^(?:please )?for (?:my |our |all )*\w+s,/i

/** Whether an instruction is for some messages only: “always … when I ask about …”. English. */
export const isConditional = (text: string): boolean => CONDITION.test(text)
