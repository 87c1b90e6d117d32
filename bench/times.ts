/** Times as the sets write them, read as UTC so that figures are the same in every time zone. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** ISO 8601, "1:56 pm on 8 May, 2023", "March-15-2024", "2024年04月01日 周一 08:30", seconds or milliseconds since 1970; else undefined. */
export function parseTime(time: unknown): number | undefined {
  if (typeof time === 'number') return Number.isFinite(time) ? (Math.abs(time) < 1e11 ? time * 1000 : time) : undefined
  if (typeof time !== 'string') return undefined
  const iso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(time)
  if (iso !== null) return defined(Date.parse(time.replace(' ', 'T') + (iso[1] !== undefined && iso[4] === undefined ? 'Z' : '')))

  const clock = /(\d{1,2}):(\d\d)\s*([ap]m)?/i.exec(time)
  const half = clock?.[3]?.toLowerCase()
  const hour = clock === null ? 0 : half === undefined ? Number(clock[1]) : (Number(clock[1]) % 12) + (half === 'pm' ? 12 : 0)
  const minute = clock === null ? 0 : Number(clock[2])

  const numbered = /(\d{4})\s*[年/.-]\s*(\d{1,2})\s*[月/.-]\s*(\d{1,2})/.exec(time)
  if (numbered !== null) return defined(Date.UTC(Number(numbered[1]), Number(numbered[2]) - 1, Number(numbered[3]), hour, minute))
  const dayFirst = /(\d{1,2})[\s-]+([a-z]{3,9})[\s,-]+(\d{4})/i.exec(time)
  const monthFirst = /([a-z]{3,9})[\s-]+(\d{1,2})[\s,-]+(\d{4})/i.exec(time)
  const [day, name, year] = dayFirst !== null ? dayFirst.slice(1) : monthFirst !== null ? [monthFirst[2], monthFirst[1], monthFirst[3]] : []
  const month = months.indexOf(name?.slice(0, 3).toLowerCase() ?? '')
  return month < 0 ? undefined : defined(Date.UTC(Number(year), month, Number(day), hour, minute))
}

const defined = (time: number) => (Number.isNaN(time) ? undefined : time)

const minute = 60_000
/** Where a chat without times begins. */
const start = Date.UTC(2024, 0, 1, 9)

/** The times of a chat's turns: each one's own, a minute after its predecessor's where it has none or repeats the one of its session. */
export function turnTimes(times: readonly unknown[]): number[] {
  let last = start - minute
  let lastWritten: unknown
  return times.map(time => {
    const own = time === lastWritten ? undefined : parseTime(time)
    lastWritten = time ?? lastWritten
    return (last = own ?? last + minute)
  })
}
