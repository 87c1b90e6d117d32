/**
 * Who leads: the tab that holds one Web Lock. When it goes, however it goes, the browser gives the lock to the next in the queue. One that holds it
 * and does nothing is dispossessed.
 */

export class Election {
  readonly #name: string
  readonly #onElected: () => void
  readonly #onDeposed: () => void
  #letGo: (() => void) | undefined
  #queueing: AbortController | undefined

  /** `onElected` is called when this tab leads from now on, `onDeposed` when another one took the lead from it. */
  constructor(name: string, onElected: () => void, onDeposed: () => void) {
    this.#name = name
    this.#onElected = onElected
    this.#onDeposed = onDeposed
  }

  /** Leads when nobody else does. */
  tryNow(): Promise<void> {
    return this.#request({ ifAvailable: true })
  }

  /** Leads when it is this tab's turn. */
  queue(): void {
    if (this.#queueing) return
    this.#queueing = new AbortController()
    this.#request({ signal: this.#queueing.signal }).catch(() => {})
  }

  /** Does something while no other tab does it: for taking the lead, which should not be taken twice. One that sleeps in the middle is not waited for. */
  async exclusively(act: () => Promise<void>, seconds: number): Promise<void> {
    const patience = AbortSignal.timeout(seconds * 1000)
    let acting = false
    const once = () => {
      acting = true
      return act()
    }
    await navigator.locks
      .request(`${this.#name}/taking`, { signal: patience }, once)
      .catch(error => (acting ? Promise.reject(error) : once()))
  }

  /** Leads now, whoever did. */
  take(): Promise<void> {
    return this.#request({ steal: true })
  }

  /** Gives up the lead, or the place in the queue. */
  resign(): void {
    this.#queueing?.abort()
    this.#queueing = undefined
    this.#letGo?.()
    this.#letGo = undefined
  }

  /** Resolves when it is decided. */
  #request(options: LockOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      let mine = false
      const held = (lock: Lock | null) => {
        if (!lock) return resolve()
        this.#queueing?.abort()
        this.#queueing = undefined
        return new Promise<void>(release => {
          mine = true
          this.#letGo = release
          this.#onElected()
          resolve()
        })
      }
      navigator.locks.request(this.#name, options, held).catch(error => {
        if (!mine) return reject(error)
        this.#letGo = undefined
        this.#onDeposed()
      })
    })
  }
}
