/** `--compare`: what moved between two runs, and what is noise. */

import { interval } from './metrics.ts'
import { number, type Report } from './report.ts'

interface Move {
  name: string
  before: number
  after: number
  /** Of the difference. Null where the metric is no mean over items. */
  range: [low: number, high: number] | null
}

/** Lines of text: first what moved beyond noise, then what differs without an interval. */
export function compare(before: readonly Report[], after: readonly Report[]): string {
  const lines: string[] = []
  for (const new_ of after) {
    const old = before.find(report => report.kind === new_.kind && report.set === new_.set)
    const title = `${new_.kind} ${new_.set}`
    if (old === undefined) {
      lines.push(`${title}: only in the second`)
      continue
    }
    const moves = movesOf(old, new_).filter(({ before, after }) => before !== after)
    const beyond = moves.filter(({ range }) => range !== null && (range[0] > 0 || range[1] < 0))
    const unknown = moves.filter(({ range }) => range === null)
    lines.push(
      `${title}: ${moves.length === 0 ? 'the same figures' : `${beyond.length} of ${moves.length} changed figures moved beyond noise`}`,
    )
    lines.push(...beyond.map(move => `  ${show(move)}`), ...unknown.map(move => `  ${show(move)}, no interval`))
  }
  for (const { kind, set } of before)
    if (!after.some(report => report.kind === kind && report.set === set)) lines.push(`${kind} ${set}: only in the first`)
  return lines.join('\n')
}

function movesOf(old: Report, new_: Report): Move[] {
  return Object.entries(new_.metrics).flatMap(([name, after]) => {
    const before = old.metrics[name]
    return typeof before === 'number' && typeof after === 'number' ? [{ name, before, after, range: rangeOf(name, old, new_) }] : []
  })
}

/** The 95 % interval of the difference: of the items' own differences where both runs have the same items, else from the two intervals. */
function rangeOf(name: string, old: Report, new_: Report): Move['range'] {
  const [a, b] = [old.items?.[name], new_.items?.[name]]
  if (a !== undefined && b !== undefined && a.length === b.length) {
    const differences = a.map((value, i) => (value === null || b[i] == null ? null : b[i] - value))
    return interval(differences)
  }
  const [x, y] = [old.intervals[name], new_.intervals[name]]
  if (x === undefined || y === undefined) return null
  const difference = (new_.metrics[name] as number) - (old.metrics[name] as number)
  const half = Math.hypot(x[1] - x[0], y[1] - y[0]) / 2
  return [difference - half, difference + half]
}

function show({ name, before, after, range }: Move): string {
  const sign = (value: number) => `${value > 0 ? '+' : ''}${number(value)}`
  const within = range === null ? '' : ` [${sign(range[0])}, ${sign(range[1])}]`
  return `${name}: ${number(before)} → ${number(after)} (${sign(after - before)}${within})`
}
