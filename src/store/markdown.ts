import type { Belief } from '../memory.ts'

/** A list of the current beliefs by topic, the surest first, for a person to read. Times are in UTC. */
export function toMarkdown(beliefs: readonly Belief[]): string {
  const topics = new Map<string, Belief[]>()
  for (const belief of beliefs) {
    if (belief.supersededBy !== undefined || belief.retracted) continue
    const topic = belief.topic ?? 'other'
    topics.set(topic, [...(topics.get(topic) ?? []), belief])
  }
  const sections = [...topics].sort(([a], [b]) => Number(a === 'other') - Number(b === 'other') || (a < b ? -1 : 1))
  return ['# Beliefs\n', ...sections.map(([topic, items]) => `## ${escape(topic)}\n\n${lines(items)}`)].join('\n')
}

const lines = (beliefs: Belief[]): string =>
  [...beliefs]
    .sort((a, b) => b.confidence - a.confidence || a.createdAt - b.createdAt)
    .map(({ text, speaker, confidence, createdAt, pinned }) => {
      const day = new Date(createdAt).toISOString().slice(0, 10)
      return `- ${speaker === undefined ? '' : `${escape(speaker)}: `}${escape(text)} (${inWords(confidence)}, since ${day}${pinned ? ', pinned' : ''})\n`
    })
    .join('')

/** The steps are the ones of the belief's life: τ_promote = 0.80, w₀ of an explicit hypothesis from 0.60, of a latent one from 0.50. */
function inWords(confidence: number): string {
  if (confidence >= 0.9) return 'certain'
  if (confidence >= 0.8) return 'sure'
  if (confidence >= 0.6) return 'likely'
  if (confidence >= 0.5) return 'perhaps'
  return 'doubtful'
}

/** Text as text: on one line, and no mark of CommonMark or GFM takes effect, be it inside a line, at its start, or a bare address. */
function escape(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>|~&$#]/g, '\\$&')
    .replace(/^([-+=]|\d+[.)])/, mark => mark.slice(0, -1) + '\\' + mark.slice(-1))
    .replace(/\b(https?|ftp):/gi, '$1\\:')
    .replace(/\bwww\./gi, 'www\\.')
}
