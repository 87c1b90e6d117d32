import { createElement as h, StrictMode, useState, type FormEvent } from 'react'
import { createRoot } from 'react-dom/client'
import { useBeliefs, useMemory } from 'credence/react'

function Chat() {
  const { memory, error, progress } = useMemory({ name: 'example-react', assets: '/' })
  const beliefs = useBeliefs(memory)
  const [said, setSaid] = useState<string[]>([])

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const text = new FormData(form).get('text') as string
    form.reset()
    const { beliefs } = await memory!.recall(text)
    await memory!.observe({ text })
    const answer =
      beliefs.length > 0 ? `From what you told me: ${beliefs.map(b => b.text).join(' ')}` : 'I know nothing about you that bears on this.'
    setSaid(said => [...said, text, answer])
  }

  if (error) return h('p', { className: 'failed' }, String(error))
  if (!memory) return h('p', null, `Opening (${progress?.item ?? 'worker'}) …`)
  return h(
    'div',
    null,
    h('ol', { id: 'log', role: 'log' }, ...said.map((text, i) => h('li', { key: i }, text))),
    h('form', { onSubmit: send }, h('input', { name: 'text', 'aria-label': 'Your message', required: true }), h('button', null, 'Send')),
    h('h2', null, 'Believed'),
    h('ul', null, ...(beliefs ?? []).map(belief => h('li', { key: belief.id }, belief.text))),
  )
}

const root = document.body.appendChild(document.createElement('main'))
createRoot(root).render(h(StrictMode, null, h(Chat)))
