/** Text without models: statements, passages, screening, dates, languages, and what a person says about the memory. */

export { RECALLED_CLOSE, RECALLED_OPEN } from './blocks.ts'
export { heldNow, statedChange, type StatedChange } from './change.ts'
export { asksAboutPast, expiry, loadDates, resolveDates, type ResolvedDate } from './dates.ts'
export { substitutions } from './difference.ts'
export { correctionIntent, type CorrectionIntent } from './intents.ts'
export { isEnglish, language, type Language } from './language.ts'
export { need } from './need.ts'
export { passages } from './passages.ts'
export { MAX_PROPOSITIONS, propositions, wholeMessage, type Proposition, type PropositionKind } from './propositions.ts'
export { screen, screenByRule, type Dropped, type Kept, type ScreenContext, type Screening } from './screening.ts'
