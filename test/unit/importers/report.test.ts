import { expect, it } from 'vitest'
import { importTranscript, readTranscript, type ImportReport } from '../../../src/integrations/importers.ts'
import type { Memory, Observation, Turn } from '../../../src/memory.ts'

/** Becomes of a turn what its text says. */
const memory = (known = new Set<string>()): Pick<Memory, 'observeAll'> => ({
  async *observeAll(turns, { signal } = {}) {
    for await (const turn of turns) {
      signal?.throwIfAborted()
      const repeated = known.has(turn.id!)
      known.add(turn.id!)
      yield outcome(turn, repeated)
    }
  },
})

function outcome({ id, role, text }: Turn, repeated: boolean): Observation {
  const proposition = { text, span: [0, text.length] as const, reliability: 1, rawSurprisal: 0, surprisal: 0, changes: [] }
  if (repeated) return { turn: id!, repeated, propositions: [], changes: [] }
  if (role === 'assistant')
    return { turn: id!, repeated, propositions: [{ ...proposition, route: 'ignored', reason: 'not-user' }], changes: [] }
  if (text.endsWith('?'))
    return { turn: id!, repeated, propositions: [{ ...proposition, route: 'ignored', reason: 'question' }], changes: [] }
  const change = { belief: `b-${id}`, kind: 'created' as const, text, before: null, after: 0.6 }
  return { turn: id!, repeated, propositions: [{ ...proposition, route: 'profile' }], changes: [change] }
}

const chat = '**User:** I like tea.\n**Assistant:** Good.\n**User:** Why?\n**Assistant:** Taste.\n**User:** I like rain.'

it('counts what became of the turns', async () => {
  const seen: number[] = []
  const report = await importTranscript(memory(), await readTranscript(chat), {
    onProgress: ({ turns, total }) => seen.push(turns, total!),
  })
  expect(report).toEqual({
    turns: 5,
    total: 5,
    repeated: 0,
    routes: { maintain: 0, profile: 2, correct: 0, ignored: 3 },
    ignored: { 'not-user': 2, question: 1 },
    changes: { created: 2 },
  } satisfies ImportReport)
  expect(seen).toEqual([1, 5, 2, 5, 3, 5, 4, 5, 5, 5])
})

it('goes on where it was stopped', async () => {
  const known = new Set<string>()
  const controller = new AbortController()
  const onProgress = ({ turns }: ImportReport) => turns === 2 && controller.abort()
  const stopped = importTranscript(memory(known), await readTranscript(chat), { signal: controller.signal, onProgress })
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
  expect(known.size).toBe(2)
  const report = await importTranscript(memory(known), await readTranscript(chat))
  expect(report).toMatchObject({ turns: 5, repeated: 2, changes: { created: 1 } })
})

it('takes plain turns too', async () => {
  expect(await importTranscript(memory(), [{ id: '1', role: 'user', text: 'I like tea.' }])).toMatchObject({ turns: 1, total: null })
})
