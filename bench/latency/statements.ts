/** Made-up things that a person may say about themselves: any number of different ones, always the same. */

const people = [
  'my sister',
  'my neighbour',
  'my uncle',
  'our piano teacher',
  'my oldest friend',
  'my colleague',
  'my cousin',
  'our landlord',
]
const places = ['Trondheim', 'Porto', 'Kanazawa', 'Ghent', 'Valparaíso', 'Tartu', 'Galway', 'Split', 'Oaxaca', 'Dunedin', 'Lviv', 'Utrecht']
const things = [
  'cardamom buns',
  'old maps',
  'linen shirts',
  'clay pots',
  'jazz records',
  'mountain bikes',
  'board games',
  'ferns',
  'fountain pens',
]
const days = ['Mondays', 'Tuesday evenings', 'Wednesdays', 'Thursday mornings', 'Fridays', 'rainy Saturdays', 'Sundays']

const patterns: readonly ((person: string, place: string, thing: string, day: string, n: number) => string)[] = [
  (person, place, thing, _day, n) => `I keep ${n} ${thing} that ${person} and I bought in ${place}.`,
  (person, place, _thing, day, n) => `I visit ${person} in ${place} on ${day}, for ${n} hours.`,
  (person, place, thing, _day, n) => `I have given ${person} ${n} ${thing} from ${place} so far.`,
  (person, place, thing, day, n) => `On ${day} I sell ${n} ${thing} with ${person} at the market of ${place}.`,
  (person, place, _thing, _day, n) => `I lived with ${person} in ${place} for ${n} months.`,
  (person, place, thing, _day, n) => `I repair ${thing} together with ${person}, ${n} at a time, in ${place}.`,
]

/** Statement number `i`: person, place and number are its digits. */
export function statement(i: number): string {
  const j = Math.floor(i / patterns.length)
  const pick = <T>(list: readonly T[], n: number) => list[n % list.length]!
  const n = 2 + Math.floor(j / (people.length * places.length))
  return pick(patterns, i)(pick(people, j), pick(places, Math.floor(j / people.length)), pick(things, j), pick(days, j), n)
}
