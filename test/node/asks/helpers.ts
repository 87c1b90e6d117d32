/** A memory that has heard a chat. */

import { hour, open } from '../engine/open.ts'

/** Says lines an hour apart, ids `m0`, `m1`, …; `assistant:` before a line makes it the assistant's. */
export async function chat(...lines: string[]) {
  const opened = await open()
  const say = async (...more: string[]) => {
    for (const line of more) {
      opened.clock.now += hour
      const role = line.startsWith('assistant: ') ? ('assistant' as const) : ('user' as const)
      observed.push(
        await opened.memory.observe({ id: `m${observed.length}`, role, text: line.replace('assistant: ', ''), at: opened.clock.now }),
      )
    }
  }
  const observed: Awaited<ReturnType<typeof opened.memory.observe>>[] = []
  await say(...lines)
  const current = async () => (await opened.memory.beliefs()).map(belief => belief.text)
  return { ...opened, observed, say, current }
}

/** What people say without telling anything of themselves. */
export const smallTalk = [
  'Hi there!',
  'Thanks, that helps a lot.',
  'Ok, go on.',
  'Can you make that shorter?',
  'What is the capital of Mongolia?',
  'Translate “good night” into Italian, please.',
  'Haha, that is funny.',
  'Write a haiku about autumn leaves.',
  'Why is the sky blue?',
  'Great, thank you!',
  'How many grams are in an ounce?',
  'Please fix the spelling in this sentence.',
  'Sounds good.',
  'And what about the second one?',
  'Explain recursion to me in simple words.',
  'Wow, really?',
  'Give me three synonyms for “quick”.',
  'No, the other one.',
  'Who painted the Night Watch?',
  'See you tomorrow!',
]
