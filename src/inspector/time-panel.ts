/** N_eff and the routes over time, from what is stored. */

import { html, type PropertyValues, type TemplateResult } from 'lit'
import { Part } from './context.ts'
import { overTime, type Interval } from './over-time.ts'
import { effectiveChart, routesChart } from './time-chart.ts'

export class TimePanel extends Part {
  static override properties = { ...Part.properties, intervals: { state: true } }

  declare private intervals: readonly Interval[] | null
  #loads = 0

  constructor() {
    super()
    this.intervals = null
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.outdated(changed)) void this.#load()
  }

  protected override render(): TemplateResult {
    const { language } = this.context
    const { intervals } = this
    if (!intervals) return html`<p class="muted">${language.text('loading')}</p>`
    if (intervals.length === 0) return html`<p class="muted">${language.text('noTime')}</p>`
    return html`<h3>${language.text('effective')}</h3>
      ${effectiveChart(intervals, language)}
      <h3>${language.text('routes')}</h3>
      ${routesChart(intervals, language)}
      <p class="muted">${language.text('survivors')}</p>
      <details>
        <summary>${language.text('asTable')}</summary>
        <div class="wide" tabindex="0" role="region" aria-label=${language.text('asTable')}>
          <table>
            <thead>
              <tr>
                <th scope="col">${language.text('messages')}</th>
                <th scope="col">N_eff</th>
                ${['MAINTAIN', 'PROFILE', 'CORRECT', language.text('byHand'), language.text('lifecycle')].map(
                  name => html`<th scope="col">${name}</th>`,
                )}
              </tr>
            </thead>
            <tbody>
              ${intervals.map(
                ({ tick, effective, changes: { maintain, profile, correct, hand, lifecycle } }) =>
                  html`<tr>
                    <th scope="row">${language.number(tick)}</th>
                    ${[language.number(effective, 1), ...[maintain, profile, correct, hand, lifecycle].map(n => language.number(n))].map(
                      value => html`<td>${value}</td>`,
                    )}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>`
  }

  async #load(): Promise<void> {
    const { memory, attempt, seen } = this.context
    if (!seen.status) return
    const { parameters } = seen.status
    const mine = ++this.#loads
    await attempt(async () => {
      const intervals = overTime(await memory.export(), parameters)
      if (mine === this.#loads) this.intervals = intervals
    })
  }
}
