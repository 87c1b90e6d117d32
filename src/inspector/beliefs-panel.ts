/** The list of beliefs: searched, filtered, strongest first. */

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Belief } from '../memory.ts'
import { stateOf } from './belief-item.ts'
import { Part } from './context.ts'

const filters = ['current', 'facts', 'hypotheses', 'past', 'all'] as const
type Filter = (typeof filters)[number]

const page = 50

export class BeliefsPanel extends Part {
  static override properties = {
    ...Part.properties,
    all: { state: true },
    found: { state: true },
    words: { state: true },
    filter: { state: true },
    topic: { state: true },
    shown: { state: true },
  }

  declare private all: readonly Belief[] | null
  /** What the search found, best first; null without one. */
  declare private found: readonly Belief[] | null
  declare private words: string
  declare private filter: Filter
  declare private topic: string
  declare private shown: number
  #loads = 0

  constructor() {
    super()
    this.all = null
    this.found = null
    this.words = ''
    this.filter = 'current'
    this.topic = ''
    this.shown = page
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.outdated(changed)) void this.#load()
  }

  protected override render(): TemplateResult {
    const { language } = this.context
    const list = (this.found ?? this.all ?? []).filter(belief => this.#wanted(belief))
    return html`${this.#controls()}
      <p class="muted" role="status">
        ${
          this.all === null
            ? language.text('loading')
            : list.length === 0
              ? language.text(this.all.length === 0 ? 'empty' : 'nothingFound')
              : language.text('found', { shown: language.number(Math.min(list.length, this.shown)), total: language.number(list.length) })
        }
      </p>
      <ul class="plain beliefs">
        ${repeat(
          list.slice(0, this.shown),
          belief => belief.id,
          belief => html`<li><credence-inspector-belief .belief=${belief} .context=${this.context}></credence-inspector-belief></li>`,
        )}
      </ul>
      ${
        list.length > this.shown
          ? html`<button type="button" @click=${() => (this.shown += page)}>${language.text('more')}</button>`
          : nothing
      }`
  }

  #controls(): TemplateResult {
    const { language } = this.context
    const topics = [...new Set((this.all ?? []).flatMap(({ topic }) => topic ?? []))].sort()
    return html`<div class="controls" role="search">
      <label>${language.text('search')} <input type="search" autocomplete="off" .value=${this.words} @input=${this.#search} /></label>
      <label>
        ${language.text('show')}
        <select @change=${(event: Event) => (this.filter = (event.target as HTMLSelectElement).value as Filter)}>
          ${filters.map(
            filter => html`<option value=${filter} ?selected=${filter === this.filter}>${language.text(`show.${filter}`)}</option>`,
          )}
        </select>
      </label>
      ${
        topics.length > 0
          ? html`<label>
              ${language.text('topic')}
              <select @change=${(event: Event) => (this.topic = (event.target as HTMLSelectElement).value)}>
                <option value="">${language.text('anyTopic')}</option>
                ${topics.map(topic => html`<option value=${topic} ?selected=${topic === this.topic}>${topic}</option>`)}
              </select>
            </label>`
          : nothing
      }
    </div>`
  }

  readonly #search = (event: Event) => {
    this.words = (event.target as HTMLInputElement).value
    this.shown = page
    void this.#load()
  }

  #wanted(belief: Belief): boolean {
    const state = stateOf(belief, Date.now())
    const holds = state === 'fact' || state === 'hypothesis'
    const kind = { current: holds, facts: state === 'fact', hypotheses: state === 'hypothesis', past: !holds, all: true }
    return kind[this.filter] && (this.topic === '' || belief.topic === this.topic)
  }

  async #load(): Promise<void> {
    const { memory, attempt } = this.context
    const mine = ++this.#loads
    const text = this.words.trim()
    await attempt(async () => {
      const all = await memory.beliefs({ past: true })
      const found = text === '' ? null : await memory.beliefs({ past: true, text })
      if (mine !== this.#loads) return // a later search has begun
      this.all = all
      this.found = found
    })
  }
}
