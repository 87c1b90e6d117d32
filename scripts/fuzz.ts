// Hostile text through parser, screening, import and prompt block: `npm run fuzz`, or `npm run fuzz -- 100000 7` for 100,000 inputs with seed 7.
import { fuzz } from '../test/fuzz/fuzz.ts'

const [inputs = 1_000_000, seed = 1] = process.argv.slice(2).map(Number)
const started = Date.now()
const report = await fuzz(inputs, seed, ({ inputs, crashes, escapes }) => {
  if (inputs % 100_000 === 0) console.log(`${inputs} inputs, ${crashes.length} crashes, ${escapes.length} escapes`)
})
const seconds = (Date.now() - started) / 1000
console.log(
  `${report.inputs} inputs with seed ${seed} in ${seconds.toFixed(0)} s: ${report.length} characters, ${report.propositions} statements`,
)
console.log(`${report.imported} imports taken, ${report.refused} refused`)
console.log(`${report.crashes.length} crashes, ${report.escapes.length} escapes`)
for (const line of [...report.crashes, ...report.escapes]) console.error(line)
if (report.crashes.length + report.escapes.length > 0) process.exitCode = 1
