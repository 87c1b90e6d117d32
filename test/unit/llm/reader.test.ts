/** A host's model as the reader, what hosts have as such a model, and records to tune one on. */

import { describe, expect, it } from 'vitest'
import {
  openAI,
  promptApi,
  trainingRecords,
  webLLM,
  withReader,
  type Ask,
  type Question,
  type TrainingRecord,
} from '../../../src/integrations/llm.ts'
import type { PortableMemory } from '../../../src/memory.ts'
import { memoryOf } from './memory.ts'

const { signal } = new AbortController()

function scripted(answer: unknown) {
  const questions: Question[] = []
  const ask: Ask = async question => {
    questions.push(question)
    return answer as string
  }
  return { ask, questions }
}

describe('withReader', () => {
  it('gives the model the block and the query, and takes its answer', async () => {
    const { ask, questions } = scripted(' Dr. Amari.\n')
    const memory = withReader(await memoryOf('My dentist is Dr. Amari.'), ask)
    const { text, choice, probabilities, recall } = await memory.answer('Who is my dentist?')
    expect({ text, choice, probabilities }).toEqual({ text: 'Dr. Amari.', choice: null, probabilities: [] })
    expect(recall.needed).toBe(true)
    expect(questions[0]!.messages).toEqual([
      { role: 'system', content: recall.prompt },
      { role: 'user', content: 'Who is my dentist?' },
    ])
  })

  it('and the query alone when no memory is needed', async () => {
    const { ask, questions } = scripted('Paris.')
    const { recall } = await withReader(await memoryOf('I collect old maps.'), ask).answer('Who wrote the Kalevala?')
    expect(recall.needed).toBe(false)
    expect(questions[0]!.messages).toEqual([{ role: 'user', content: 'Who wrote the Kalevala?' }])
  })

  it('and nothing when nothing is asked', async () => {
    const { ask, questions } = scripted('Paris.')
    const memory = withReader(await memoryOf('I collect old maps.'), ask)
    expect(await memory.answer(' ')).toMatchObject({ text: '', choice: null, recall: { needed: false } })
    expect(questions).toEqual([])
  })

  it('lets it choose among options', async () => {
    const { ask, questions } = scripted('The best is {"choice": 2}.')
    const memory = withReader(await memoryOf('I never eat meat.'), ask)
    const answer = await memory.answer('What do I eat?', { options: ['Steak', 'Lentils', 'Ham'] })
    expect(answer).toMatchObject({ text: 'Lentils', choice: 1, probabilities: [] })
    expect(questions[0]!.messages.at(-1)!.content).toContain('\n1. Steak\n2. Lentils\n3. Ham\n')
    expect(questions[0]!.schema).toMatchObject({ properties: { choice: { minimum: 1, maximum: 3 } } })
  })

  it('rejects by name when it fails and there is no model on the device, and reads a recall that was made before', async () => {
    const inner = await memoryOf('My dentist is Dr. Amari.')
    for (const useless of ['', '{"choice": 9}', 3, null]) {
      const answer = withReader(inner, scripted(useless).ask).answer('Who is my dentist?', { options: ['a', 'b'] })
      await expect(answer).rejects.toMatchObject({ code: 'ModelFailed', cause: { code: 'ModelMissing' } })
    }
    const recall = await inner.recall('Who is my dentist?')
    const { ask, questions } = scripted('x')
    expect((await withReader(inner, ask).answer('And where?', { recall })).recall).toBe(recall)
    expect(questions[0]!.messages[0]!.content).toBe(recall.prompt)
    await expect(inner.answer('Who?')).rejects.toMatchObject({ code: 'ModelMissing', data: { role: 'lm' } })
  })
})

describe('a model as a function', () => {
  const schema = { type: 'object' }
  const messages = [
    { role: 'system' as const, content: 's' },
    { role: 'user' as const, content: 'u' },
  ]

  it('of OpenAI and of WebLLM', async () => {
    const sent: unknown[] = []
    const create = async (request: object, options: object) => {
      sent.push(request, options)
      return { choices: [{ message: { content: 'yes' } }] }
    }
    expect(await openAI(create)({ messages, schema, signal })).toBe('yes')
    await webLLM(create)({ messages, schema, signal })
    await webLLM(create)({ messages, signal })
    expect(sent).toEqual([
      { messages, response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } },
      { signal },
      { messages, response_format: { type: 'json_object', schema: '{"type":"object"}' } },
      { signal },
      { messages },
      { signal },
    ])
    expect(await openAI(async () => ({ choices: [] }))({ messages, signal })).toBe('')
  })

  it('of the browser: a session for each question, which is ended whatever happens', async () => {
    const log: unknown[] = []
    const model = (answer: () => Promise<string>) => ({
      create: async (options: object) => {
        log.push(options)
        return {
          prompt: async (input: string, settings: object) => (log.push(input, settings), answer()),
          destroy: () => log.push('ended'),
        }
      },
    })
    expect(await promptApi(model(async () => 'yes'))({ messages, schema, signal })).toBe('yes')
    expect(log).toEqual([{ initialPrompts: [messages[0]], signal }, 'u', { signal, responseConstraint: schema }, 'ended'])
    await expect(promptApi(model(() => Promise.reject(new Error('no'))))({ messages, signal })).rejects.toThrow('no')
    expect(log.at(-1)).toBe('ended')
  })
})

describe('records for training', () => {
  const at = Date.parse('2026-03-02T09:00:00Z')
  const label = (n: number, query: string, text: string, salienceAnswer: number, more: object = {}) => ({
    ...{ id: `a${n}`, at: at + query.length, query, answer: `Answer to ${query}`, item: `turn:m${n}`, text, salienceAnswer, used: false },
    ...{ features: [1, 0, 0, 0, 0, 0, 0, 0] },
    ...more,
  })

  it('are one for the controller and one for the reader a feedback, with what is evidence and without', async () => {
    const exported = await (await memoryOf('I like tea.', 'I like old maps.')).export()
    const labels = [
      label(0, 'What do I drink?', 'I like tea.', 3),
      label(1, 'What do I drink?', 'I like old maps.', -1),
      label(2, 'What is 2 + 2?', 'I like tea.', 0.2),
      label(3, 'Old export?', 'I like tea.', 0.2, { answer: undefined, used: true }),
    ]
    const memory: PortableMemory = JSON.parse(JSON.stringify({ ...exported, labels }))
    const lines = trainingRecords(memory).trimEnd().split('\n')
    const records = lines.map(line => JSON.parse(line) as TrainingRecord)
    expect(records.map(({ task, messages }) => [task, messages.at(-1)!.content])).toEqual([
      ['controller', '{"trigger":true,"focus_idx":[1],"strategy":"current"}'],
      ['reader', 'Answer to What do I drink?'],
      ['controller', '{"trigger":false,"focus_idx":[],"strategy":"none"}'],
      ['reader', 'Answer to What is 2 + 2?'],
      ['controller', '{"trigger":true,"focus_idx":[1],"strategy":"current"}'],
    ])
    expect(records[0]!.messages[1]!.content).toBe('Notes:\n1. I like tea.\n2. I like old maps.\n\nMessage: What do I drink?')
    expect(records[1]!.messages[0]!.content).toContain('I like tea.')
    expect(records[1]!.messages[0]!.content).not.toContain('maps')
    expect(records[3]!.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    for (const { messages } of records) expect(messages.every(({ role, content }) => role.length > 0 && content.length > 0)).toBe(true)
  })

  it('of a memory without feedback are none, and what is no export is refused', async () => {
    expect(trainingRecords(await (await memoryOf('I like tea.')).export())).toBe('')
    expect(() => trainingRecords({ format: 'x' } as never)).toThrow(expect.objectContaining({ code: 'ImportInvalid' }))
  })
})
