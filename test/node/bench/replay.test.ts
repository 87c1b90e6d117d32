import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { at } from '../../../scripts/layout.mjs'

const folder = mkdtempSync(join(tmpdir(), 'credence-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

const replay = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'bench/replay.ts', ...args], { cwd: at(''), encoding: 'utf8' })

const node = (id: string, parent: string | null, role: string, text: string) => ({
  [id]: {
    parent,
    message: { id, author: { role }, create_time: 1_770_000_000, recipient: 'all', content: { content_type: 'text', parts: [text] } },
  },
})

it('replays a ChatGPT export in Chromium', () => {
  const file = join(folder, 'conversations.json')
  const mapping = {
    ...node('u1', null, 'user', 'I live in Aarhus and I keep bees.'),
    ...node('a1', 'u1', 'assistant', 'How many hives?'),
    ...node('u2', 'a1', 'user', 'What do bees eat in winter?'),
  }
  writeFileSync(file, JSON.stringify([{ conversation_id: 'c', create_time: 1_770_000_000, mapping, current_node: 'u2' }]))

  const { stdout, stderr, status } = replay(file, '--json')
  expect({ status, stderr }).toMatchObject({ status: 0 })
  const lines = stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Record<string, any>)
  expect(lines[0]).toEqual({ type: 'summary', format: 'chatgpt', conversations: 1, turns: 3, skipped: {} })
  const turns = lines.filter(line => line['type'] === 'turn')
  expect(turns.map(line => line['turn'].id)).toEqual(['u1', 'a1', 'u2'])
  expect(turns[0]!['observation'].propositions[0]).toMatchObject({ route: 'profile', changes: [{ kind: 'created' }] })
  expect(turns[2]!['observation'].propositions[0]).toMatchObject({ route: 'ignored', reason: 'question' })
  const beliefs = lines.filter(line => line['type'] === 'belief').map(line => line['belief'].text as string)
  expect(beliefs.join(' ')).toContain('Aarhus')
})

it('says what is wrong with a file', () => {
  const file = join(folder, 'half.json')
  writeFileSync(file, '[{"role":"user","content":"I live in')
  const { stderr, status } = replay(file)
  expect(stderr).toMatch(/^credence: half\.json cannot be imported: the file ends in the middle at byte 36 \(line 1\)/)
  expect(status).toBe(2)
})
