import { openMemory, type Progress } from 'credence'
import { importTranscript, readTranscript } from 'credence/import'

const memory = openMemory({ name: 'example-import', assets: '/' })
const file = Object.assign(document.createElement('input'), { type: 'file', accept: '.zip,.json,.jsonl,.ndjson,.md,.txt' })
file.setAttribute('aria-label', 'A chat or an export')
const stop = Object.assign(document.createElement('button'), { textContent: 'Stop', disabled: true })
const text = Object.assign(document.createElement('pre'), { id: 'log' })
document.body.append(file, stop, text)

file.addEventListener('change', async () => {
  const [chosen] = file.files ?? []
  if (!chosen) return
  const controller = new AbortController()
  const { signal } = controller
  stop.onclick = () => controller.abort()
  stop.disabled = false
  try {
    const reading = ({ item, done, total }: Progress) => (text.textContent = `Reading ${item}: ${done} of ${total} bytes`)
    const transcript = await readTranscript(chosen, chosen.name, { signal, onProgress: reading })
    const report = await importTranscript(await memory, transcript, {
      signal,
      onProgress: ({ turns, total }) => (text.textContent = `${turns} of ${total} turns`),
    })
    text.textContent = JSON.stringify({ file: transcript.summary, memory: report }, null, 2)
  } catch (error) {
    // What was brought in stays; choosing the same file again goes on from there.
    text.textContent += `\n${String(error)}`
  }
  stop.disabled = true
})
