/** Brings a transcript into a memory, and says what became of it. */

import { abortError, refuseUnknown } from '../errors.ts'
import type { ChangeKind, IgnoredReason, Memory, Observation, Route, Turn } from '../memory.ts'

/** What was done so far. */
export interface ImportReport {
  /** Turns observed, those known before included. */
  turns: number
  /** Turns in all, where it is known beforehand. */
  total: number | null
  /** Turns that had been observed before: nothing was done for them. */
  repeated: number
  /** Statements by what the gate did with them. */
  routes: Record<Route, number>
  /** Statements that were left out, by the reason. */
  ignored: Partial<Record<IgnoredReason, number>>
  /** Movements of beliefs by kind: `created`, `reinforced`, `weakened` and so on. */
  changes: Partial<Record<ChangeKind, number>>
}

export interface ImportOptions {
  signal?: AbortSignal
  /** Called after each turn with the same, growing report. */
  onProgress?: (report: ImportReport) => void
}

/**
 * Observes every turn of a transcript, oldest first. Rejects with the signal's reason when it fires: what was brought in until then stays, and the same call
 * again goes on from there, because a turn that is known already is passed over. A stopped and continued import ends in the same memory as one in one go.
 */
export async function importTranscript(
  memory: Pick<Memory, 'observeAll'>,
  transcript: Iterable<Turn> | (AsyncIterable<Turn> & { summary?: { turns: number } }),
  options: ImportOptions = {},
): Promise<ImportReport> {
  refuseUnknown(options, ['signal', 'onProgress'], 'importTranscript')
  const { signal, onProgress } = options
  const total = 'summary' in transcript ? (transcript.summary?.turns ?? null) : null
  const report: ImportReport = {
    turns: 0,
    total,
    repeated: 0,
    routes: { maintain: 0, profile: 0, correct: 0, ignored: 0 },
    ignored: {},
    changes: {},
  }
  for await (const observation of memory.observeAll(transcript, signal && { signal })) {
    add(report, observation)
    onProgress?.(report)
    if (signal?.aborted) throw abortError(signal)
  }
  return report
}

function add(report: ImportReport, { repeated, propositions, changes }: Observation): void {
  report.turns++
  if (repeated) report.repeated++
  for (const { route, reason } of propositions) {
    report.routes[route]++
    if (reason !== undefined) report.ignored[reason] = (report.ignored[reason] ?? 0) + 1
  }
  for (const { kind } of changes) report.changes[kind] = (report.changes[kind] ?? 0) + 1
}
