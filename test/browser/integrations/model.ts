/** A real memory, and in place of a model, which would be too big, a function that answers from what it is given to read. */

import { vi } from 'vitest'
import { openMemory, type Memory, type Turn } from 'credence'

export const open = (name: string) => openMemory({ name: `${name}-${Date.now()}`, assets: '/', device: 'wasm', models: { lm: false } })

export const allergy = 'I am allergic to peanuts.'
export const question = 'Can I eat peanut butter with my allergy?'
export const unrelated = 'What is 7 times 8?'
export const answered = 'No: you told me about your allergy.'

/** What the person said about the allergy counts only when the memory brought it in. */
export const answerTo = (prompt: string) => (prompt.includes(allergy) ? answered : 'I cannot know that.')

/** The turns of one conversation in the order in which they were observed, once there are `count`. Observing goes on behind the answers. */
export function transcript(memory: Memory, conversation: string, count: number): Promise<{ role: string; text: string }[]> {
  const found = async () => {
    const all = (await memory.export()).turns as Required<Turn>[]
    const turns = all.filter(turn => turn.conversation === conversation).map(({ role, text }) => ({ role, text }))
    if (turns.length < count) throw new Error(`${turns.length} turns, not ${count}`)
    return turns
  }
  return vi.waitFor(found, { timeout: 60_000, interval: 100 })
}

/** What was asked, and answered from memory. */
export const exchange = [
  { role: 'user', text: question },
  { role: 'assistant', text: answered },
]
