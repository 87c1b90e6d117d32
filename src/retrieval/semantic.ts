/** Cosine search over L2-normalised vectors, kept one after the other in a single Float32Array. Exact: at these sizes a scan is fast. */

export class SemanticIndex {
  readonly dimensions: number
  #data: Float32Array
  #slots = new Map<string, number>()
  #ids: (string | undefined)[] = []
  #free: number[] = []

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#data = new Float32Array(dimensions * 256)
  }

  set(id: string, vector: Float32Array): void {
    let slot = this.#slots.get(id)
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#ids.length
      this.#slots.set(id, slot)
      this.#ids[slot] = id
      const needed = (slot + 1) * this.dimensions
      if (needed > this.#data.length) {
        const grown = new Float32Array(Math.max(needed, this.#data.length * 2))
        grown.set(this.#data)
        this.#data = grown
      }
    }
    this.#data.set(vector, slot * this.dimensions)
  }

  remove(id: string): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    this.#slots.delete(id)
    this.#ids[slot] = undefined
    // A forgotten vector must not linger in memory.
    this.#data.fill(0, slot * this.dimensions, (slot + 1) * this.dimensions)
    this.#free.push(slot)
  }

  get(id: string): Float32Array | undefined {
    const slot = this.#slots.get(id)
    return slot === undefined ? undefined : this.#data.subarray(slot * this.dimensions, (slot + 1) * this.dimensions)
  }

  /** Ids with their cosine, best first; ties in the order of the id. */
  search(query: Float32Array, limit: number, accept?: (id: string) => boolean): { id: string; score: number }[] {
    const best: { id: string; score: number }[] = []
    let least = -Infinity
    for (let slot = 0; slot < this.#ids.length; slot++) {
      const id = this.#ids[slot]
      if (id === undefined) continue
      const score = this.#dot(query, slot * this.dimensions)
      if (score < least || (accept && !accept(id))) continue
      best.push({ id, score })
      if (best.length >= limit * 2 + 64) least = prune(best, limit)
    }
    prune(best, limit)
    return best
  }

  #dot(query: Float32Array, offset: number): number {
    const data = this.#data
    let sum = 0
    for (let i = 0; i < query.length; i++) sum += query[i]! * data[offset + i]!
    return sum
  }
}

function prune(found: { id: string; score: number }[], limit: number): number {
  found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  if (found.length > limit) found.length = limit
  return found.length === limit ? found[limit - 1]!.score : -Infinity
}

/** Cosine of two normalised vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
