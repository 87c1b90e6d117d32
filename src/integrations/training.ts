/** What `feedback` learnt, as records for fine-tuning a controller and a reader together, in the form of chats. */

import type { LabelRecord, Snapshot } from '../engine/ports.ts'
import { promptBlock, type Note } from '../engine/prompt.ts'
import { feedbackOf, wasEvidence } from '../evidence/labels.ts'
import type { PortableMemory } from '../memory.ts'
import { fromPortable } from '../store/portable.ts'
import { asksAboutPast } from '../text/index.ts'
import type { AskMessage } from './ask.ts'
import { controllerMessages } from './llm-controller.ts'
import { readerMessages } from './llm-reader.ts'

/** One example: the last message is what the model should answer. */
export interface TrainingRecord {
  task: 'controller' | 'reader'
  messages: AskMessage[]
}

/** Memories chosen at most. */
const most = 5

/**
 * Records of an export, one JSON object a line: for each feedback one for the controller (the message and its candidates; which of them are evidence,
 * none being an answer too) and one for the reader (the message, with what is evidence put before it; the answer that was accepted). They hold the
 * person's words: they stay where you keep them. Throws `ImportInvalid` for what is not an export.
 */
export function trainingRecords(memory: PortableMemory): string {
  const snapshot = fromPortable(memory)
  const feedbacks = new Map<string, LabelRecord[]>()
  for (const label of snapshot.labels) {
    const key = feedbackOf(label)
    feedbacks.set(key, [...(feedbacks.get(key) ?? []), label])
  }
  const records = [...feedbacks.values()].flatMap(labels => recordsOf(labels, snapshot))
  return records.map(record => `${JSON.stringify(record)}\n`).join('')
}

function recordsOf(labels: LabelRecord[], snapshot: Snapshot): TrainingRecord[] {
  const { query, answer } = labels[0]!
  const focus = labels
    .map((label, i) => ({ label, i }))
    .filter(({ label }) => wasEvidence(label))
    .sort((a, b) => b.label.salienceAnswer - a.label.salienceAnswer)
    .slice(0, most)
  const strategy = focus.length === 0 ? 'none' : asksAboutPast(query) ? 'past' : 'current'
  const decision = JSON.stringify({ trigger: focus.length > 0, focus_idx: focus.map(({ i }) => i + 1), strategy })
  const asked = controllerMessages(
    query,
    labels.map(({ text }) => ({ text, past: false })),
  )
  const controller: TrainingRecord = { task: 'controller', messages: [...asked, { role: 'assistant', content: decision }] }
  if (answer === undefined) return [controller]
  const notes = focus.map(({ label }) => noteOf(label, snapshot, strategy === 'past'))
  const block = promptBlock(notes, Infinity, () => 0)
  return [controller, { task: 'reader', messages: [...readerMessages(query, block), { role: 'assistant', content: answer }] }]
}

/** As the reader is shown it. */
function noteOf({ item, text, at }: LabelRecord, { beliefs, turns }: Snapshot, past: boolean): Note {
  const [kind, id] = [item.slice(0, item.indexOf(':')), item.slice(item.indexOf(':') + 1)]
  const belief = kind === 'belief' ? beliefs.find(belief => belief.id === id) : undefined
  const turn = belief ? undefined : turns.find(turn => turn.id === id)
  return {
    kind: belief ? 'belief' : 'turn',
    role: turn?.role ?? 'user',
    text,
    at: belief?.createdAt ?? turn?.at ?? at,
    confidence: belief?.confidence ?? null,
    past: past && belief?.supersededBy !== undefined,
  }
}
