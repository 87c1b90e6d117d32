// In the page: the index is fetched when somebody begins to search.
import MiniSearch from 'minisearch'
import { searchOptions } from './search-options.mjs'

const input = /** @type {HTMLInputElement} */ (document.querySelector('#search'))
const list = /** @type {HTMLOListElement} */ (document.querySelector('#found'))
/** @type {Promise<MiniSearch> | undefined} */
let index

const load = () => (index ??= fetch('search.json').then(async answer => MiniSearch.loadJSON(await answer.text(), searchOptions)))

input.addEventListener('focus', load)
input.addEventListener('input', async () => {
  const query = input.value
  const found = query === '' ? [] : (await load()).search(query).slice(0, 8)
  if (query !== input.value) return
  list.replaceChildren(
    ...found.map(({ id, title, page }) => {
      const link = Object.assign(document.createElement('a'), { href: id, textContent: title === page ? title : `${page}: ${title}` })
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
})
