import { connectMemory } from 'credence/extension'

const memory = connectMemory()
const list = document.querySelector('#beliefs')

async function show() {
  const items = (await memory.beliefs()).map(belief => Object.assign(document.createElement('li'), { textContent: belief.text }))
  list.replaceChildren(...items)
  list.dataset.shown = 'true'
}

memory.subscribe(show)
show()
