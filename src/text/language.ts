/** Which language a text is in, well enough to know when models that were trained on English must not be trusted. */

export type Language = 'en' | 'de' | 'es' | 'zh' | 'ja' | 'other'

/** The commonest words that hardly occur in the other languages listed. */
const FUNCTION_WORDS: Record<string, string> = {
  en: `the and i you to of my is it that for have was with this are be not but on at they we what your from can would like just
    i'm don't it's me do so if or about will there an by how when who which he she his her their been has had did does in's i've
    i'll that's isn't doesn't can't won't please always never used also very really too only now any more am our us them were than`,
  de: `der die das und ich ist nicht ein eine einen einem einer mit auf für mein meine meinen meiner mir mich wir sie er es zu im den dem
    von auch aber habe hat bin sind war wie was wo kann bitte immer nie jetzt mehr keine kein nur sehr noch schon bei nach seit heute
    gerne lieber wohne trinke esse arbeite heiße werde wird dass oder wenn`,
  es: `el la los las y yo es no un una unos con mi mis me que de en por para se lo está estoy soy son pero como qué dónde cuándo tengo
    tiene muy más ya siempre nunca ahora vivo trabajo gusta prefiero bebo desde hoy del al su sus te tu hay fue ser también`,
  other: `le les des est je suis une du et dans pour avec mon ma ne pas que qui sur au vous nous j'ai c'est il elle em não um uma
    para com você eu meu minha é o os faça che di il sono non per una mio mia het een ik niet mijn en van är och jag inte nie jest się`,
}
const WORDS = Object.entries(FUNCTION_WORDS).map(([language, words]) => [language as Language, new Set(words.split(/\s+/))] as const)

/** At most this much of a text is looked at. */
const LOOK = 2000

/** The likeliest language. Latin text without any telling word counts as English, text without letters as `other`. */
export function language(text: string): Language {
  const head = text.slice(0, LOOK).replace(/[\w.+-]+@[\w.-]+|https?:\S+/g, '')
  const letters = head.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return 'other'
  // A Chinese character carries about as much as four Latin letters.
  const kana = head.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  const han = head.match(/\p{Script=Han}/gu)?.length ?? 0
  if ((kana + han) * 4 > letters) return kana * 5 > han ? 'ja' : 'zh'
  const latin = head.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (latin * 2 < letters) return 'other'

  const words =
    head
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}']+/gu) ?? []
  let best: Language = 'en'
  let most = 0
  for (const [name, known] of WORDS) {
    const count = words.reduce((sum, word) => sum + (known.has(word) ? 1 : 0), 0)
    if (count > most) [best, most] = [name, count]
  }
  if (most === 0 && /[äöüßñáéíóúçãõêèàåøæœğışłńśźżčřů]/i.test(head))
    return /[äöüß]/i.test(head) ? 'de' : /[ñáíóú]/i.test(head) ? 'es' : 'other'
  return best
}

/** Whether English-only models may be trusted with this text. */
export function isEnglish(text: string): boolean {
  return language(text) === 'en'
}
