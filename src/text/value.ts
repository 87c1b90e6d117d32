/** Questions for a number or a date, and texts that give one. */

const VALUE =
  /\bhow (?:many|much|long|often|far|old|big|large|tall|fast|soon|high|heavy)\b|\bwhen(?:['’]s| is| are| do| does| should| will| am)\b|\b(?:what|which) (?:time|date|day|deadline|year|month|week|version|percentage|number|rate|price|amount|budget)\b|\bwhat(?:['’]s| is| are)\b.{0,60}\b(?:average|total|number|count|percentage|rate|budget|deadline|quota|limit|target|goal|score|price|cost|size|length|date|time|accuracy|amount|level|version|weight|age|coverage|salary|rent|capacity|distance|duration|allowance|balance)\b/i

/** These compare several values, or ask what was said, which a later word does not change. */
const SEVERAL =
  /\b(?:did|between|across|in total|altogether|passed|difference|when I (?:said|mentioned)|was|were|had|how (?:much|many) more)\b/i

/** Whether a message asks for a number, an amount, a date or a time that holds now. */
export const asksForValue = (query: string): boolean => VALUE.test(query.slice(0, 400)) && !SEVERAL.test(query)

const GIVEN =
  /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|half|twice|january|february|march|april|june|july|august|september|october|november|december|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|tomorrow|tonight|noon|midnight)\b|\b(?:re-?scheduled|postponed|extended|brought forward|pushed back)\b/iu

/** Whether a text states a number, a date, or that one has changed. */
export const statesValue = (text: string): boolean => GIVEN.test(text)

const UPDATED =
  /\b(?:now|recently|lately|new(?:ly)?|updated?|adjust(?:ed|ing)|increas(?:ed|es?|ing)|rais(?:ed|ing)|reduc(?:ed|ing)|lower(?:ed|ing)|decreas(?:ed|ing)|cut|extend(?:ed|ing)|shorten(?:ed|ing)|improved|grown|growth|reached|reschedul(?:ed|ing)|postponed|moved|moving|shifted|pushed|changed|expand(?:ed|ing)|upgraded|bumped|doubled|dropped|(?:up|down) (?:to|from)|just found out|no longer|instead|extra|additional|more than)\b/i

/** Whether a text says that something is not what it was. */
export const tellsOfUpdate = (text: string): boolean => UPDATED.test(text)
