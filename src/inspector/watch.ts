/** Follows a memory: what it last observed and recalled, its status, and how often it changed. */

import type { BeliefChange, CommitEvent, Memory, PropositionOutcome, RecallEvent, Status } from '../memory.ts'

export interface SeenTurn {
  /** What was written; empty once it was forgotten. */
  text: string
  propositions: PropositionOutcome[]
  changes: BeliefChange[]
}

export interface Seen {
  /** Counts the times that what the memory holds may have changed. */
  revision: number
  status: Status | null
  turn: SeenTurn | null
  recall: RecallEvent | null
  /** What the last commit moved, by belief. */
  moved: ReadonlyMap<string, BeliefChange>
}

export const nothingSeen: Seen = { revision: 0, status: null, turn: null, recall: null, moved: new Map() }

/** Milliseconds between two looks at a memory that changes all the time, as in an import. */
const pace = 250
const whileLoading = 1000

export class Watch {
  seen: Seen = nothingSeen
  readonly #memory: Memory
  readonly #onSeen: () => void
  readonly #onError: (error: unknown) => void
  readonly #end: () => void
  #ended = false
  #idle = true
  #stale = true
  #looking = false
  #observed: CommitEvent | null = null

  /** Begins idle: it remembers what is told, and asks for nothing. */
  constructor(memory: Memory, onSeen: () => void, onError: (error: unknown) => void) {
    this.#memory = memory
    this.#onSeen = onSeen
    this.#onError = onError
    this.#end = memory.subscribe(event => (event.type === 'recalled' ? this.#recalled(event) : this.#committed(event)))
  }

  set idle(value: boolean) {
    this.#idle = value
    void this.#look()
  }

  stop(): void {
    this.#ended = true
    this.#end()
  }

  #recalled(recall: RecallEvent): void {
    this.seen = { ...this.seen, recall }
    this.#onSeen()
  }

  #committed(event: CommitEvent): void {
    // What was forgotten may stand in what was seen.
    if (event.type === 'forgotten') {
      this.#observed = null
      this.seen = { ...this.seen, turn: null, recall: null }
      this.#onSeen()
    }
    if (event.turn !== undefined) this.#observed = event
    this.seen = { ...this.seen, moved: new Map(event.changes.map(change => [change.belief, change])) }
    this.#stale = true
    void this.#look()
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    while (this.#stale && !this.#idle && !this.#ended) {
      this.#stale = false
      try {
        const observed = this.#observed
        const [status, turn] = await Promise.all([this.#memory.status(), observed && this.#turnOf(observed)])
        const { revision, turn: before } = this.seen
        this.seen = { ...this.seen, revision: revision + 1, status, turn: observed === this.#observed ? (turn ?? before) : before }
        if (status.missing.some(({ reason }) => reason === 'loading')) setTimeout(() => this.again(), whileLoading)
        this.#onSeen()
      } catch (error) {
        if (!this.#ended) this.#onError(error)
      }
      await new Promise(resolve => setTimeout(resolve, pace))
    }
    this.#looking = false
  }

  again(): void {
    this.#stale = true
    void this.#look()
  }

  async #turnOf({ turn, propositions = [], changes }: CommitEvent): Promise<SeenTurn> {
    const text = await this.#memory.turn(turn!).then(
      found => found.text,
      () => '',
    )
    return { text, propositions, changes }
  }
}
