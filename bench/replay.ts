/** `npm run replay -- FILE [--json]`: what the library does with each turn of a real chat, in a real browser. */

import { existsSync, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { CredenceError } from '../src/errors.ts'
import { readTranscript, type Transcript, type TranscriptSummary } from '../src/integrations/importers.ts'
import type { Belief, BeliefChange, Memory, Observation, Turn } from '../src/memory.ts'
import { browse, ensureBuilt, type PageGlobals } from './browser.ts'

/** Ends the program: the message is all that the reader needs. */
function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

function readArguments(): { file: string; json: boolean } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
    if (positionals.length === 1) return { file: positionals[0]!, json: values.json ?? false }
  } catch (error) {
    refuse((error as Error).message)
  }
  return refuse(
    'Usage: npm run replay -- FILE [--json], where FILE is a ChatGPT or Claude export, JSON lines of messages, or a Markdown chat.',
  )
}

async function open(file: string): Promise<Transcript> {
  if (!existsSync(file)) refuse(`There is no file ${file}.`)
  try {
    return await readTranscript(await openAsBlob(file), basename(file))
  } catch (error) {
    if (error instanceof CredenceError && error.code === 'ImportInvalid') refuse(error.message)
    throw error
  }
}

interface Printer {
  summary(summary: TranscriptSummary): void
  turn(turn: Turn, observation: Observation): void
  bank(beliefs: Belief[]): void
}

const line = (value: object) => console.log(JSON.stringify(value))
const machine: Printer = {
  summary: summary => line({ type: 'summary', ...summary }),
  turn: (turn, observation) => line({ type: 'turn', turn, observation }),
  bank: beliefs => beliefs.forEach(belief => line({ type: 'belief', belief })),
}

const short = (text: string) => (text.length > 100 ? `${text.slice(0, 99)}…` : text).replaceAll(/\s+/g, ' ')
const confidence = (w: number | null) => (w === null ? '–' : w.toFixed(2))
const change = ({ kind, before, after, text }: BeliefChange) => `      ${kind} ${confidence(before)} → ${confidence(after)}  ${short(text)}`

const human: Printer = {
  summary({ format, conversations, turns, skipped }) {
    const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`)
    console.log(`${format}: conversations ${conversations}, turns ${turns}${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}`)
  },
  turn({ role, speaker, text, at }, { propositions, changes, repeated }) {
    const when = at === undefined ? '' : ` ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`
    console.log(`\n${speaker ?? role}${when}: ${short(text)}`)
    if (repeated) console.log('  observed before')
    for (const p of propositions) {
      const why = p.reason === undefined ? `x ${p.surprisal.toFixed(2)}, ρ ${p.reliability.toFixed(2)}` : p.reason
      console.log([`  ${p.route} (${why}) ${short(p.text)}`, ...p.changes.map(change)].join('\n'))
    }
    const ofTurn = changes.filter(c => !propositions.some(p => p.changes.some(other => other.belief === c.belief && other.kind === c.kind)))
    if (ofTurn.length > 0) console.log(['  life cycle', ...ofTurn.map(change)].join('\n'))
  },
  bank(beliefs) {
    console.log(`\nThe bank: ${beliefs.length} beliefs`)
    for (const b of beliefs) {
      const past = b.retracted === true ? ', retracted' : b.supersededBy === undefined ? '' : ', superseded'
      console.log(`  ${b.confidence.toFixed(2)} ${b.kind}${b.topic === null ? '' : `, ${b.topic}`}${past}  ${short(b.text)}`)
    }
  },
}

const { file, json } = readArguments()
const transcript = await open(file)
const print = json ? machine : human
print.summary(transcript.summary)

await ensureBuilt()
await using browsing = await browse()
const page = await browsing.newPage()
const memory = await page.evaluateHandle((): Promise<Memory> => (globalThis as unknown as PageGlobals).openMemory({ name: 'replay' }))
for await (const turn of transcript) {
  print.turn(turn, await memory.evaluate((m, t) => m.observe(t), turn))
}
print.bank((await memory.evaluate(m => m.beliefs({ past: true }))).sort((a, b) => b.confidence - a.confidence || a.createdAt - b.createdAt))
await memory.evaluate(m => m.close())
