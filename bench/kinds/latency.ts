import type { Report } from '../report.ts'
import type { Result } from '../result.ts'
export async function latency(_limit: number | undefined): Promise<Result & { models: Report['models'] }> {
  throw new Error('being written')
}
