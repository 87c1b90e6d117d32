import fc from 'fast-check'
import type { Change, LabelRecord, Snapshot, TrailRecord, TurnRecord, VectorRecord } from '../../../src/engine/ports.ts'
import type { Belief, Evidence } from '../../../src/memory.ts'

export const turn = (id: string, over: Partial<TurnRecord> = {}): TurnRecord => ({
  id,
  order: 0,
  tick: 1,
  role: 'user',
  text: `the words of turn ${id}`,
  at: 1_790_000_000_000,
  passages: [[0, 9]],
  ...over,
})

export const belief = (id: string, over: Partial<Belief> = {}): Belief => ({
  id,
  text: `I keep bees, says ${id}`,
  kind: 'fact',
  origin: 'explicit',
  confidence: 0.85,
  topic: 'animals',
  createdAt: 1_790_000_000_000,
  lastSupported: 1,
  protected: false,
  pinned: false,
  supersedes: [],
  ...over,
})

export const evidence = (id: string, of: string, on: string, over: Partial<Evidence> = {}): Evidence => ({
  id,
  belief: of,
  turn: on,
  span: [0, 9],
  stance: 'supports',
  strength: 0.85,
  at: 1_790_000_000_000,
  ...over,
})

export const trail = (id: string, of: string, over: Partial<TrailRecord> = {}): TrailRecord => ({
  id,
  belief: of,
  tick: 1,
  at: 1_790_000_000_000,
  kind: 'created',
  confidence: 0.85,
  ...over,
})

export const label = (id: string, item: string, over: Partial<LabelRecord> = {}): LabelRecord => ({
  id,
  query: 'what animals do I keep?',
  item,
  text: 'I keep bees',
  salienceAnswer: 1.25,
  used: true,
  at: 1_790_000_000_000,
  features: [0.5, -1, 0],
  ...over,
})

export const vector = (key: string, data: number[] = [0.6, 0.8]): VectorRecord => ({ key, stamp: 'm@1/int8', data: new Float32Array(data) })

export const nothing: Snapshot = { turns: [], beliefs: [], evidence: [], trails: [], vectors: [], labels: [], meta: {}, generation: 0 }

/** Any UTF-16, lone surrogates included. */
export const anyText = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map(units => String.fromCharCode(...units))
/** JSON does not know −0. */
const positiveZero = (value: number) => value + 0
const share = fc.double({ min: 0, max: 1, noNaN: true }).map(positiveZero)
const confidence = fc.double({ min: 0, max: 1, minExcluded: true, noNaN: true })
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map(positiveZero)
const time = fc.integer({ min: -1e13, max: 1e13 })
const spanIn = (text: string) =>
  fc.tuple(fc.nat(text.length), fc.nat(text.length)).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])
const maybe = <Key extends string, Value>(key: Key, value: fc.Arbitrary<Value>) =>
  fc.option(value).map(some => (some === null ? {} : { [key]: some })) as fc.Arbitrary<{ [K in Key]?: Value }>
const merged = <A, B>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>): fc.Arbitrary<A & B> => fc.tuple(a, b).map(([x, y]) => ({ ...x, ...y }))
const kinds = fc.constantFrom<TrailRecord['kind']>(
  'created',
  'reinforced',
  'weakened',
  'promoted',
  'woken',
  'edited',
  'pinned',
  'retracted',
)

/** Records of one id, every field random and every optional field there or not. */
export const anyTurn = (id: string, tick: number, order: number): fc.Arbitrary<TurnRecord> =>
  anyText.chain(text =>
    merged(
      fc.record({
        id: fc.constant(id),
        order: fc.constant(order),
        tick: fc.nat(tick),
        role: fc.constantFrom('user' as const, 'assistant' as const),
        text: fc.constant(text),
        at: time,
        passages: fc.array(spanIn(text), { maxLength: 3 }),
      }),
      merged(maybe('speaker', anyText), maybe('conversation', anyText)),
    ),
  )

export const anyBelief = (id: string, tick: number, others: string[]): fc.Arbitrary<Belief> => {
  const links = fc.subarray(others.filter(other => other !== id))
  return merged(
    fc.record({
      id: fc.constant(id),
      text: anyText,
      kind: fc.constantFrom('fact' as const, 'hypothesis' as const),
      origin: fc.constantFrom('explicit' as const, 'latent' as const),
      confidence,
      topic: fc.option(anyText),
      createdAt: time,
      lastSupported: fc.nat(tick),
      protected: fc.boolean(),
      pinned: fc.boolean(),
      supersedes: links,
    }),
    merged(
      merged(maybe('speaker', anyText), maybe('expiresAt', time)),
      merged(
        others.some(other => other !== id)
          ? maybe('supersededBy', fc.constantFrom(...others.filter(other => other !== id)))
          : fc.constant({}),
        maybe('retracted', fc.boolean()),
      ),
    ),
  )
}

/** Objects as they are written in code, with the usual prototype. */
const plain = <Value extends object>(model: { [K in keyof Value]: fc.Arbitrary<Value[K]> }) =>
  fc.record<Value>(model, { noNullPrototype: true })

const ids = (prefix: string, pool: string[]) => fc.subarray(pool.map(id => `${prefix}${id}`))
const each = <Item>(list: string[], make: (id: string, i: number) => fc.Arbitrary<Item>) =>
  fc.tuple(...list.map(make)) as fc.Arbitrary<Item[]>

/** A whole memory with sound references, its ids out of a small pool so that two of them collide. */
export const anySnapshot: fc.Arbitrary<Snapshot> = fc
  .record({ turnIds: ids('t', ['1', '2', '3', '4']), beliefIds: ids('b', ['1', '2', '3', '1~2', '4']), tick: fc.nat(20) })
  .chain(({ turnIds, beliefIds, tick }) =>
    fc
      .record({
        turns: each(turnIds, (id, order) => anyTurn(id, tick, order)),
        beliefs: each(beliefIds, id => anyBelief(id, tick, beliefIds)),
      })
      .chain(({ turns, beliefs }) => {
        const places = beliefs.flatMap(b => turns.map(t => [b.id, t] as const))
        return fc.record({
          turns: fc.constant(turns),
          beliefs: fc.constant(beliefs),
          evidence:
            places.length === 0
              ? fc.constant([])
              : ids('e', ['1', '2', '3', '4', '5']).chain(list =>
                  each(list, id =>
                    fc.constantFrom(...places).chain(([of, on]) =>
                      plain({
                        id: fc.constant(id),
                        belief: fc.constant(of),
                        turn: fc.constant(on.id),
                        span: spanIn(on.text),
                        stance: fc.constantFrom('supports' as const, 'contradicts' as const),
                        strength: share,
                        at: time,
                      }),
                    ),
                  ),
                ),
          trails:
            beliefIds.length === 0
              ? fc.constant([])
              : ids('p', ['1', '2', '3', '4', '5']).chain(list =>
                  each(list, id =>
                    merged(
                      fc.record({
                        id: fc.constant(id),
                        belief: fc.constantFrom(...beliefIds),
                        tick: fc.nat(tick),
                        at: time,
                        kind: kinds,
                        confidence: share,
                      }),
                      maybe('replaced', anyText),
                    ),
                  ),
                ),
          vectors: fc.constant([]),
          labels: ids('l', ['1', '2', '3']).chain(list =>
            each(list, id =>
              plain({
                id: fc.constant(id),
                query: anyText,
                item: fc.constantFrom('belief:b1', 'belief:b2', 'turn:t1', 'turn:gone'),
                text: anyText,
                salienceAnswer: finite,
                used: fc.boolean(),
                at: time,
                features: fc.array(finite, { maxLength: 4 }),
              }),
            ),
          ),
          meta: fc.constant({ tick, order: turns.length }),
          generation: fc.constant(0),
        })
      }),
  )

const pool = ['1', '2', '3', '4', '5']
/** A change over a small pool of ids: puts, replacements, removals of what is there and of what is not. */
export const anyChange: fc.Arbitrary<Change> = fc.record({
  put: fc.record(
    {
      turns: fc.subarray(pool).chain(list => each(list, id => fc.nat(9).chain(n => anyTurn(id, 9, Number(id) + 5 * n)))),
      beliefs: fc.shuffledSubarray(pool).chain(list => each(list, id => anyBelief(id, 9, pool))),
      evidence: fc.shuffledSubarray(pool).map(list => list.map(id => evidence(id, '1', '2'))),
      trails: fc.shuffledSubarray(pool).map(list => list.map(id => trail(id, '3'))),
      vectors: fc
        .shuffledSubarray(pool)
        .chain(list => each(list, id => fc.float32Array({ maxLength: 4 }).map(data => ({ key: `b:${id}`, stamp: 's', data })))),
      labels: fc.shuffledSubarray(pool).map(list => list.map(id => label(id, 'belief:1'))),
      meta: fc.dictionary(fc.constantFrom('tick', 'generation', '__proto__', ''), fc.option(fc.nat())),
    },
    { requiredKeys: [] },
  ),
  remove: fc.record(
    {
      turns: fc.subarray(pool),
      beliefs: fc.subarray(pool),
      evidence: fc.subarray(pool),
      trails: fc.subarray(pool),
      vectors: fc.subarray(pool.map(id => `b:${id}`)),
      labels: fc.subarray(pool),
      meta: fc.subarray(['tick', 'generation', 'other']),
    },
    { requiredKeys: [] },
  ),
})
