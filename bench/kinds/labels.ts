/** `labels`: what sort of message is it? The plan's label of each user turn against the labels of its statements. The assistant's turns are left out. */

import type { Observation } from '../../src/memory.ts'
import { macroF1 } from '../metrics.ts'
import { freshMemory, summarise, type BenchContext, type Result } from '../result.ts'
import type { LabelledChat } from '../sets.ts'
import { turnTimes } from '../times.ts'

const classes = ['preference', 'update', 'instruction', 'other'] as const
type Class = (typeof classes)[number]

export async function labels(chats: LabelledChat[], context: BenchContext): Promise<Result> {
  const { limit = Infinity, progress } = context
  const taken = chats.map(chat => ({ ...chat, turns: chat.turns.filter(turn => turn.role === 'user').slice(0, limit) }))
  const total = taken.reduce((sum, chat) => sum + chat.turns.length, 0)
  let done = 0
  const judged: { truth: Class; verdict: Class }[] = []
  for (const { id, turns } of taken) {
    const { memory, clock } = await freshMemory(context)
    const times = turnTimes(turns.map(turn => turn.time))
    for (const [i, turn] of turns.entries()) {
      clock.now = times[i]!
      const observation = await memory.observe({
        id: `${id}/${turn.id}`,
        text: turn.text,
        at: clock.now,
        conversation: `${id}/${turn.session ?? ''}`,
      })
      judged.push({ truth: truthOf(turn.plan_label), verdict: verdictOf(observation) })
      progress(++done, total)
    }
    await memory.close()
  }

  const result = summarise(judged.map(({ truth, verdict }) => ({ category: truth, values: { accuracy: Number(truth === verdict) } })))
  const { macro, byClass } = macroF1(judged, classes)
  result.metrics['macroF1'] = macro
  for (const name of classes) result.byCategory[name] = { ...result.byCategory[name], ...byClass[name] }
  return result
}

/** “Preference Statement:Choice Actions” is a preference. */
function truthOf(label: string | null | undefined): Class {
  const [name] = (label ?? '').split(':')
  if (name === 'Preference Statement') return 'preference'
  if (name === 'Information Update' || name === 'Logical Contradiction') return 'update'
  return name === 'User Instruction' ? 'instruction' : 'other'
}

/** The most telling of a message's statements decides. */
function verdictOf({ propositions }: Observation): Class {
  const found = new Set(propositions.map(p => p.label))
  return found.has('instruction') ? 'instruction' : found.has('update') ? 'update' : found.has('preference') ? 'preference' : 'other'
}
