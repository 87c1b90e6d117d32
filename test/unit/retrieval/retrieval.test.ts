import fc from 'fast-check'
import MiniSearch from 'minisearch'
import { describe, expect, it } from 'vitest'
import { fuse } from '../../../src/retrieval/fuse.ts'
import { LexicalIndex } from '../../../src/retrieval/lexical.ts'
import { cosine, SemanticIndex } from '../../../src/retrieval/semantic.ts'
import { tokenize } from '../../../src/retrieval/tokenize.ts'
import { nearestTopic, topics } from '../../../src/retrieval/topic.ts'

describe('tokenize', () => {
  it('joins the forms of an English word', () => {
    expect(tokenize('running runs')).toEqual(['run', 'run'])
    expect(tokenize('I live in Boston')).toEqual(tokenize('living, BOSTON'))
  })

  it('makes characters and pairs of Chinese, Japanese and Korean', () => {
    expect(tokenize('喜欢茶')).toEqual(['喜', '喜欢', '欢', '欢茶', '茶'])
    expect(tokenize('北京 beijing')).toEqual(['北', '北京', '京', 'beij'])
    expect(tokenize('커피')).toContain('커피')
  })

  it('forgets accents and width, keeps numbers', () => {
    expect(tokenize('Café ＡＢＣ 42')).toEqual(['cafe', 'abc', '42'])
  })

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        expect(tokenize(text).every(t => t !== '')).toBe(true)
      }),
    )
    expect(tokenize('\ud800 lone')).toEqual(['lone'])
  })
})

describe('lexical index', () => {
  it('finds, ranks by rarity, and forgets', () => {
    const index = new LexicalIndex()
    index.add('1', 'I drink coffee at work')
    index.add('2', 'I drink tea at work')
    index.add('3', '我喜欢喝茶')
    expect(index.search('tea', 10)[0]?.id).toBe('2')
    expect(index.search('喝茶吗', 10)[0]?.id).toBe('3')
    expect(index.search('coffee or tea', 10, id => id !== '2').map(hit => hit.id)).toEqual(['1'])
    index.remove('2')
    expect(index.search('tea', 10)).toEqual([])
    index.add('1', 'I sold my bike')
    expect(index.search('coffee', 10)).toEqual([])
  })

  it('cuts at the limit as a sort of everything would, ties by id', () => {
    const word = fc.constantFrom('tea', 'cup', 'dog', 'car')
    const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (documents, limit) => {
        const index = new LexicalIndex()
        documents.forEach((words, i) => index.add(`${i}`, words.join(' ')))
        expect(index.search('tea dog', limit)).toEqual(index.search('tea dog', 1000).slice(0, limit))
      }),
    )
  })

  it('scores as MiniSearch does, through adding, replacing and removing', () => {
    const text = fc
      .array(fc.constantFrom('tea', 'cup', 'dog', 'car', 'sun', 'owl'), { minLength: 1, maxLength: 6 })
      .map(words => words.join(' '))
    const step = fc.record({ id: fc.constantFrom(...'abcdefgh'), text: fc.option(text, { freq: 3 }) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), text, (steps, query) => {
        const index = new LexicalIndex()
        const texts = new Map<string, string>()
        for (const { id, text } of steps) {
          if (text === null) {
            index.remove(id)
            texts.delete(id)
          } else {
            index.add(id, text)
            texts.set(id, text)
          }
        }
        const library = new MiniSearch<{ id: string; text: string }>({ fields: ['text'], tokenize, processTerm: term => term })
        library.addAll([...texts].map(([id, text]) => ({ id, text })))
        const terms = [...new Set(tokenize(query))]
        const expected = new Map(library.search(query, { tokenize: () => terms }).map(({ id, score }) => [id as string, score]))
        const found = index.search(query, 100)
        expect(found.map(hit => hit.id).sort()).toEqual([...expected.keys()].sort())
        for (const { id, score } of found) expect(score).toBeCloseTo(expected.get(id)!, 9)
      }),
    )
  })

  it('gives the whole query found an overlap of 1, and part of it less', () => {
    const index = new LexicalIndex()
    index.add('1', 'peanut allergy')
    index.add('2', 'a peanut field')
    const [first, second] = index.search('peanut allergy', 10)
    expect(first).toMatchObject({ id: '1', overlap: 1 })
    expect(second!.overlap).toBeGreaterThan(0)
    expect(second!.overlap).toBeLessThan(0.5)
    expect(index.search('peanut zeppelin', 10)[0]!.overlap).toBeLessThan(0.5)
  })

  it('looks up rare words first where common ones stand in very many texts, and all of them without a limit', () => {
    const index = new LexicalIndex()
    for (let i = 0; i < 30_000; i++) index.add(`${i}`, i % 1000 === 7 ? 'tea from a zeppelin' : 'tea and work')
    const found = index.search('work on tea in a zeppelin', 40)
    expect(found).toHaveLength(30)
    expect(found.every(({ id }) => Number(id) % 1000 === 7)).toBe(true)
    expect(found[0]!.overlap).toBeGreaterThan(0.9)
    expect(index.search('tea', 5).map(hit => hit.id)).toEqual(['0', '1', '10', '100', '1000'])
    expect(index.search('work on tea in a zeppelin', Infinity)).toHaveLength(30_000)
  })
})

describe('semantic index', () => {
  const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }).map(v => Float32Array.from(v))

  it('agrees with a naive scan through adding, replacing and removing', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.option(vector))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600 }), vector, fc.integer({ min: 1, max: 20 }), (steps, query, limit) => {
        const index = new SemanticIndex(8)
        const naive = new Map<string, Float32Array>()
        for (const [id, v] of steps) {
          if (v) {
            index.set(`${id}`, v)
            naive.set(`${id}`, v)
          } else {
            index.remove(`${id}`)
            naive.delete(`${id}`)
          }
        }
        const expected = [...naive]
          .map(([id, v]) => ({ id, score: cosine(query, v) }))
          .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
          .slice(0, limit)
        expect(index.search(query, limit)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  it('of very many vectors finds nearly all of the nearest, and always one that is the same', () => {
    const [dimensions, count] = [64, 6000]
    let seed = 7
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647 - 0.5
    const normalised = (v: Float32Array) => v.map(x => x / Math.hypot(...v))
    const centres = Array.from({ length: 60 }, () => Float32Array.from({ length: dimensions }, random))
    const vectors = Array.from({ length: count }, (_, i) => normalised(centres[i % 60]!.map(x => x + 0.7 * random())))
    const index = new SemanticIndex(dimensions)
    vectors.forEach((v, i) => index.set(`${i}`, v))
    let found = 0
    for (let q = 0; q < 40; q++) {
      const query = vectors[q * 149]!
      const exact = vectors
        .map((v, i) => ({ id: `${i}`, score: cosine(query, v) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 20)
      const near = index.search(query, 20)
      expect(near[0]).toEqual(exact[0])
      expect(near).toHaveLength(20)
      found += exact.filter(({ id }) => near.some(hit => hit.id === id)).length
    }
    expect(found / 800).toBeGreaterThan(0.97)

    index.remove('149')
    expect(index.search(vectors[149]!, 20).map(hit => hit.id)).not.toContain('149')
    index.set('again', vectors[149]!)
    expect(index.search(vectors[149]!, 1)[0]!.id).toBe('again')
  })
})

describe('fuse', () => {
  it('is the sum of reciprocal ranks', () => {
    expect(fuse([['a', 'b'], ['b']], 20)).toEqual([
      { id: 'b', score: 1 / 22 + 1 / 21 },
      { id: 'a', score: 1 / 21 },
    ])
    expect(fuse([], 20)).toEqual([])
  })

  it('does not depend on the order of the rankings', () => {
    const ranking = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))
    fc.assert(
      fc.property(ranking, ranking, (a, b) => {
        const order = (r: { id: string }[]) => r.map(x => x.id)
        expect(order(fuse([a, b], 20))).toEqual(order(fuse([b, a], 20)))
      }),
    )
  })
})

describe('topic', () => {
  it('names the nearest anchor above the floor', () => {
    const anchors = topics.map((_, i) => Float32Array.from({ length: topics.length }, (_, j) => (i === j ? 1 : 0)))
    expect(nearestTopic(anchors[2]!, anchors, 0.5)).toBe(topics[2]![0])
    expect(nearestTopic(new Float32Array(topics.length), anchors, 0.5)).toBe(null)
    expect(nearestTopic(anchors[0]!, [], 0.5)).toBe(null)
  })
})
