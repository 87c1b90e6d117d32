/** Shared by the build, which makes the index, and the page, which reads it. */
export const searchOptions = {
  idField: 'url',
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page'],
  searchOptions: { prefix: true, fuzzy: 0.2, boost: { title: 4, page: 2 } },
}
