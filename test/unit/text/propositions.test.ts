import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_PROPOSITIONS, propositions, wholeMessage } from '../../../src/text/index.ts'

const texts = (message: string) => propositions(message).map(p => p.text)
const kinds = (message: string) => propositions(message).map(p => `${p.kind}: ${p.text}`)

describe('propositions', () => {
  it.each([
    ['I moved to Denver last month and I started a job at a bakery', ['I moved to Denver last month', 'I started a job at a bakery']],
    ['I like tea and coffee', ['I like tea and coffee']],
    ['Oh, I live in Boston, by the way.', ['I live in Boston']],
    ['I quit coffee, only tea from now on', ['I quit coffee, only tea from now on']],
    ["I'm done with crime novels; I only read memoirs these days.", ["I'm done with crime novels; I only read memoirs these days."]],
    ['My brother and I live in Austin.', ['My brother and I live in Austin.']],
    ['I hate olives and my wife loves them, but we both eat onions.', ['I hate olives', 'my wife loves them', 'we both eat onions.']],
    ['Dr. Novak is my dentist. He works e.g. on Fridays.', ['Dr. Novak is my dentist.', 'He works e.g. on Fridays.']],
    ['1. I like tea\n2. I have a dog\n- my cat is old', ['I like tea', 'I have a dog', 'my cat is old']],
    ['I went to Paris.I loved it', ['I went to Paris.', 'I loved it']],
    ['well... maybe I will 😀 I live in Oslo! 🎉', ['maybe I will 😀 I live in Oslo! 🎉']],
    [
      '我上个月搬到了丹佛，我在一家面包店工作。我不喝咖啡了，我现在只喝茶。',
      ['我上个月搬到了丹佛', '我在一家面包店工作。', '我不喝咖啡了，我现在只喝茶。'],
    ],
    ['私は東京に住んでいます。犬が好きです。', ['私は東京に住んでいます。', '犬が好きです。']],
    [
      'Ich wohne in Graz und ich arbeite als Lehrer. Ich trinke z.B. gerne Tee.',
      ['Ich wohne in Graz', 'ich arbeite als Lehrer.', 'Ich trinke z.B. gerne Tee.'],
    ],
    ['Vivo en Lugo. ¿Qué puedo cocinar?', ['Vivo en Lugo.', '¿Qué puedo cocinar?']],
  ])('splits %j', (message, wanted) => {
    expect(texts(message)).toEqual(wanted)
  })

  it.each([
    ["I'm vegan, can you suggest dinner?", ["I'm vegan", 'can you suggest dinner?']],
    ['I live in Denver so what is the weather like?', ['I live in Denver', 'what is the weather like?']],
    ["Since I'm vegan, what should I eat?", ["I'm vegan", 'what should I eat?']],
    ["What should I eat, considering I'm vegan?", ['What should I eat', "I'm vegan"]],
    ["I'm coeliac, what bread can I bake?", ["I'm coeliac", 'what bread can I bake?']],
    ['我对花生过敏，请推荐一道菜', ['我对花生过敏', '请推荐一道菜']],
  ])('parts a statement from the question that follows: %j', (message, wanted) => {
    expect(texts(message)).toEqual(wanted)
  })

  it('leaves out words that open a sentence and say nothing', () => {
    expect(texts('By the way, remember that I am allergic to nuts.')).toEqual(['I am allergic to nuts.'])
    expect(texts('Yes, I like tea.')).toEqual(['I like tea.'])
  })

  it('does not take a condition apart', () => {
    expect(texts('If I ask for recipes and I say nothing else, make them vegan')).toHaveLength(1)
  })

  it('takes code, quotations, tables, role markers and our own block as units', () => {
    expect(kinds('```js\nconst a = 1\nI like tea\n```\nI use Rust.\n> I hate it\n> really\nfine')).toEqual([
      'code: ```js\nconst a = 1\nI like tea\n```',
      'statement: I use Rust.',
      'quotation: > I hate it\n> really',
      'statement: fine',
    ])
    expect(kinds('| a | b |\n| 1 | 2 |')).toEqual(['table: | a | b |\n| 1 | 2 |'])
    expect(kinds('system: obey\nI like tea\n\nMy name is Al')[0]).toBe('transcript: system: obey\nI like tea')
    expect(kinds('<credence-memory>\n- likes tea\n</credence-memory>\nI hate tea')).toEqual([
      'recalled: <credence-memory>\n- likes tea\n</credence-memory>',
      'statement: I hate tea',
    ])
  })

  it('takes text that comes with a task as one document', () => {
    expect(kinds('Translate this to French: "please call me Chris"')[1]).toBe('document: "please call me Chris"')
    expect(kinds('Summarize this:\nI was born in Rome. I had a dog.')[1]).toBe('document: I was born in Rome. I had a dog.')
    const essay = 'The river rises in the hills and flows slowly to the sea, past towns and mills. '.repeat(12)
    expect(propositions(essay).map(p => p.kind)).toEqual(['document'])
    const story = 'I walked along the river with my dog, past towns and mills, and came home late. '.repeat(12)
    expect(propositions(story).every(p => p.kind === 'statement')).toBe(true)
  })

  it('quotes exactly, in order, without overlap, whatever the text is', () => {
    const words = fc.constantFrom(
      'I ',
      'my ',
      'and ',
      'but ',
      ', ',
      '; ',
      '. ',
      '? ',
      '\n',
      '\n\n',
      '```',
      '"""',
      '> ',
      '| ',
      'moved ',
      'tea',
      '😀',
      '\ud83d',
      '我',
      '，',
      '。',
      '…',
      'e.g. ',
      'system: ',
      '<credence-memory>',
      '</credence-memory>',
      'can you ',
      '- ',
      '1. ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words, { maxLength: 60 }).map(list => list.join('')),
        ),
        message => {
          const found = propositions(message)
          let last = 0
          for (const { text, span } of found) {
            expect(message.slice(...span)).toBe(text)
            expect(text.trim()).not.toBe('')
            expect(span[0]).toBeGreaterThanOrEqual(last)
            last = span[1]
          }
          // Every letter is in some statement, but for opening words.
          if (message.trim() !== '') expect(found.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('stops counting statements after the first 200', () => {
    const found = propositions('I like tea. '.repeat(1000))
    expect(found).toHaveLength(MAX_PROPOSITIONS + 1)
    expect(found.at(-1)!.kind).toBe('document')
    expect(found.at(-1)!.span[1]).toBe('I like tea. '.repeat(1000).trimEnd().length)
  })

  it.each([
    'a',
    'I like tea and I ',
    'I like tea. ',
    'I am, ',
    '> ',
    '我喜欢茶，',
    '😀',
    '(',
    '\ud800',
    '...',
    ' ',
    '\t',
    '```\n',
    '<credence-memory>',
    '; I ',
    '"',
    'x\n\n',
  ])('takes a megabyte of %j in its stride', unit => {
    const message = unit.repeat(Math.ceil(1_000_000 / unit.length)).slice(0, 1_000_000)
    expect(propositions(message).length).toBeLessThanOrEqual(MAX_PROPOSITIONS + 1)
  })
})

describe('wholeMessage', () => {
  it('is the message as one unit', () => {
    expect(wholeMessage('  I like tea. I live in Oslo.\n')).toEqual({
      text: 'I like tea. I live in Oslo.',
      span: [2, 29],
      kind: 'statement',
    })
    expect(wholeMessage('```\nx\n```')!.kind).toBe('code')
    expect(wholeMessage(' \n')).toBeNull()
  })
})
