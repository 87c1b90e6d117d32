/** Chinese texts are found by what they mean, with the real models. */

import { describe, expect, test } from 'vitest'
import { openNodeModels } from '../../../src/models/node.ts'
import { openMemoryStore } from '../../../src/store/memory.ts'
import { models, open, say } from './open.ts'

/** Statements, each with a question that has none of its characters. */
const asked: [statement: string, question: string][] = [
  ['我对花生过敏。', '哪些食物会引起不适？'],
  ['家里养了一只叫豆豆的金毛犬。', '宠物狗是什么品种？'],
  ['每天骑自行车上班。', '通勤怎么去公司？'],
  ['女儿在读小学三年级。', '孩子多大了？'],
  ['去年搬到了杭州。', '现在住哪座城市？'],
  ['晚上喜欢弹钢琴。', '会什么乐器？'],
  ['下个月要动膝盖手术。', '身体有什么健康问题？'],
  ['在银行做会计。', '职业是什么？'],
  ['不吃肉，只吃素菜。', '点什么餐比较合适？'],
  ['妻子是意大利人。', '老婆来自哪个国家？'],
]
const smallTalk = ['你好！', '谢谢你的帮助', '好的，明白了', '哈哈哈', '再见，晚安', '二加二等于几？', '给我讲个笑话']

async function bank() {
  const { memory, clock } = await open()
  await say(memory, clock, ...asked.map(([statement]) => statement), 'I play chess on Sundays.', 'My car is a red van.')
  return memory
}

test('questions that share no character with the statement find it', async () => {
  const memory = await bank()
  const ranks = []
  for (const [statement, question] of asked) {
    expect([...question].filter(character => /\p{L}/u.test(character) && statement.includes(character))).toEqual([])
    const { trace } = await memory.recall(question)
    ranks.push(trace.candidates.findIndex(({ text }) => text.includes(statement.slice(0, -1))))
  }
  expect(Math.max(...ranks)).toBeLessThan(3)
  await memory.close()
})

test('small talk needs nothing, and a question about the person is answered', async () => {
  const memory = await bank()
  for (const message of smallTalk) expect((await memory.recall(message)).needed, message).toBe(false)
  const { needed, turns, beliefs } = await memory.recall('老婆来自哪个国家？')
  expect(needed).toBe(true)
  expect([...turns, ...beliefs].map(({ text }) => text)).toContain('妻子是意大利人。')
  await memory.close()
})

test('each question of a message that asks two is searched by itself', async () => {
  const memory = await bank()
  const { trace } = await memory.recall('职业是什么？另外，宠物狗是什么品种？')
  const first = trace.candidates.slice(0, 4).map(({ text }) => text)
  expect(first).toContain('在银行做会计。')
  expect(first).toContain('家里养了一只叫豆豆的金毛犬。')
  await memory.close()
})

test('a question that describes whom it asks about is answered, though the answer says nothing of the description', async () => {
  const { memory, clock } = await open()
  await say(
    memory,
    clock,
    '我堂妹住在哈尔滨。',
    '我堂妹是兽医。',
    '我姑姑住在厦门。',
    '我姑姑是钢琴老师。',
    '我邻居喜欢钓鱼。',
    '我邻居的车是蓝色的。',
    '厦门的海鲜很新鲜。',
    '哈尔滨的冬天很冷。',
  )
  const best = async (query: string, count: number) => (await memory.recall(query)).trace.candidates.slice(0, count).map(({ text }) => text)
  expect(await best('那个住在厦门的人是做什么工作的？', 3)).toContain('我姑姑是钢琴老师。')
  const both = await best('那个住在哈尔滨的人是做什么工作的？另外，那个喜欢钓鱼的人，车是什么颜色的？', 4)
  expect(both).toContain('我堂妹是兽医。')
  expect(both).toContain('我邻居的车是蓝色的。')
  const { trace } = await memory.recall('那个住在厦门的人是做什么工作的？')
  const answer = trace.candidates.find(({ text }) => text === '我姑姑是钢琴老师。')!
  expect(answer.parts.again).toBeGreaterThan(0)
  expect(answer.score).toBeLessThanOrEqual(trace.candidates[0]!.score)
  await memory.close()
})

test('texts of one language are not near those of the other', async () => {
  const shared = await models()
  const chinese = await shared.embed(
    asked.map(([statement]) => statement),
    'passage',
    undefined,
    'embedder-zh',
  )
  const english = await shared.embed(['I am allergic to peanuts.', 'My wife is Italian.', 'Where do I live?'], 'passage')
  const cosines = chinese.flatMap(a => english.map(b => a.reduce((sum, value, k) => sum + value * b[k]!, 0)))
  expect(Math.max(...cosines.map(Math.abs))).toBeLessThan(0.25)
})

describe('a memory that was kept without the Chinese model', () => {
  test('gets its vectors when it is opened with it', async () => {
    const english = await openNodeModels({ modelsDir: 'models', roles: ['embedder'] })
    const store = openMemoryStore()
    const before = await open({ store, models: english })
    await say(before.memory, before.clock, '妻子是意大利人。', 'I play chess.')
    expect((await before.memory.recall('老婆来自哪个国家？')).needed).toBe(false)
    await english.dispose()
    const { memory } = await open({ store })
    const { needed, trace } = await memory.recall('老婆来自哪个国家？')
    expect(needed).toBe(true)
    expect(trace.candidates[0]).toMatchObject({ text: '妻子是意大利人。' })
    expect((await memory.recall('Which game do I play?')).trace.candidates[0]!.text).toBe('I play chess.')
  })
})
