/** Two minutes with a made-up person. She has a memory of her own, so that nothing of hers gets into the reader's. */

import type { Memory } from 'credence'
import type { Chat } from './chat.ts'
import { byId, el } from './dom.ts'

export const onTour = new URLSearchParams(location.search).has('tour')

interface Step {
  title: string
  /** What the person says. */
  says: readonly string[]
  /** What there is to see when it was said. */
  see: string
}

export const steps: readonly Step[] = [
  {
    title: 'Meet Nora',
    says: ['Hi! I am Nora, I live in Bergen and I work as a nurse at a children’s hospital.', 'I like drinking coffee.'],
    see: 'What says something lasting about her became a belief, in her own words. Everything starts as a hypothesis: one statement is not much evidence.',
  },
  {
    title: 'Most messages leave nothing behind',
    says: ['Thanks, that was quick!', 'How do I convert miles to kilometres?'],
    see: 'Small talk and questions are looked at and left alone, and no memory was shown for them. The reason stands under each message.',
  },
  {
    title: 'Evidence raises confidence',
    says: ['I had another americano this morning, I really enjoy coffee.'],
    see: 'This was to be expected, so it went the way called MAINTAIN. Compare the confidence of the coffee belief before and after.',
  },
  {
    title: 'A change is a correction',
    says: ['I have completely given up coffee, from now on I only drink tea.'],
    see: 'This contradicts what was held: surprise x lies above the upper threshold, so CORRECT made a new fact. Coffee is kept as history, and never shown to the assistant again.',
  },
  {
    title: 'Recall only what bears on the message',
    says: ['What could I have to drink with breakfast?', 'How high is Mount Kilimanjaro?'],
    see: 'Drinks: the candidates above the threshold are chosen, tea first. A mountain: none is above it, so the prompt stays as it was.',
  },
  {
    title: 'The past, when it is asked for',
    says: ['What did I use to drink?'],
    see: 'Only a question about the past brings the replaced value back, marked as past.',
  },
  {
    title: 'It is hers',
    says: [],
    see: 'Open a belief to see the very words it rests on and how its confidence went. Edit it, pin it, retract it, or forget it for good. “Data and status” takes everything along as a file, or erases it.',
  },
]

export function tour(memory: Memory, conversation: Chat): void {
  const panel = byId('tour', HTMLElement)
  const title = byId('tour-title', HTMLHeadingElement)
  const text = byId('tour-text', HTMLParagraphElement)
  const next = byId('tour-next', HTMLButtonElement)
  let at = -1

  async function go(): Promise<void> {
    const step = steps[++at]
    if (!step) return leave()
    title.textContent = `${at + 1} of ${steps.length}: ${step.title}`
    text.replaceChildren(step.says.length > 0 ? el('em', {}, 'Nora writes…') : '')
    title.focus()
    next.disabled = true
    await conversation.play(step.says)
    text.textContent = step.see
    next.disabled = false
    next.textContent = at + 1 < steps.length ? 'Next' : 'End the tour'
  }

  async function leave(): Promise<void> {
    await memory.forgetAll()
    location.search = ''
  }

  next.addEventListener('click', () => void go())
  byId('tour-leave', HTMLButtonElement).addEventListener('click', () => void leave())
  byId('tour-link', HTMLAnchorElement).hidden = true
  panel.hidden = false
  next.disabled = false
}
