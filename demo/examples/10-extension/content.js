import { connectMemory } from 'credence/extension'

// What stands behind the # of the page's address is told to the memory, or asked of it.
const memory = connectMemory()
const text = decodeURIComponent(location.hash.slice(1))

async function run() {
  if (text.endsWith('?')) return (await memory.recall(text)).beliefs.map(belief => belief.text).join()
  const { propositions } = await memory.observe({ text, at: new Date() })
  return propositions.map(proposition => proposition.route).join()
}

if (text) {
  run().then(
    result => (document.documentElement.dataset.result = result),
    error => (document.documentElement.dataset.error = `${error.name} ${error.code}`),
  )
}
