// Builds docs/ and the types into a small static site, dist-docs/, with a search that works without a server. Fails on a link that leads nowhere.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeDeclarations } from './build.mjs'
import { declarations } from './docs/declarations.mjs'
import { at } from './layout.mjs'

/** The pages in their order; those of docs/ that are not named come last. */
const order = [
  'quick-start',
  'script-tag',
  'concepts',
  'tuning',
  'importing',
  'inspector',
  'integrations',
  'models',
  'own-models',
  'languages',
  'privacy',
  'encryption',
  'storage',
  'bundlers',
  'extension',
  'offline',
  'errors',
  'troubleshooting',
  'benchmarks',
  'design',
]

/**
 * @typedef {{ name: string, title: string, html: string, sections: { id: string, title: string, text: string }[], ids: Set<string>, links: string[] }} Page
 */

/** @param {string} folder where the site is written */
export async function buildDocs(folder) {
  const { default: MarkdownIt } = await import('markdown-it')
  const { default: MiniSearch } = await import('minisearch')
  const { build } = await import('esbuild')
  const sources = new Map(
    readdirSync(at('docs'))
      .filter(name => name.endsWith('.md'))
      .map(name => [name.slice(0, -3), readFileSync(at(`docs/${name}`), 'utf8')]),
  )
  sources.set('api', await apiPage())
  const rank = (/** @type {string} */ name) => (name === 'api' ? 98 : order.includes(name) ? order.indexOf(name) : 97)
  const names = [...sources.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  const pages = names.map(name => render(new MarkdownIt({ html: true }), name, sources.get(name) ?? ''))

  const broken = pages.flatMap(page => page.links.flatMap(link => leadsNowhere(page, link, pages)))
  if (broken.length > 0) throw new Error(`these links lead nowhere:\n${broken.join('\n')}`)

  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const page of pages) writeFileSync(join(folder, `${page.name}.html`), document(page, pages))
  writeFileSync(join(folder, 'index.html'), document({ .../** @type {Page} */ (pages[0]), name: 'index' }, pages))
  for (const name of readdirSync(at('docs'))) if (/\.(png|svg)$/.test(name)) copyFileSync(at(`docs/${name}`), join(folder, name))
  copyFileSync(at('scripts/docs/style.css'), join(folder, 'style.css'))

  const { searchOptions } = await import('./docs/search-options.mjs')
  const index = new MiniSearch(searchOptions)
  index.addAll(
    pages.flatMap(({ name, title, sections }) => sections.map(section => ({ ...section, page: title, url: `${name}.html#${section.id}` }))),
  )
  writeFileSync(join(folder, 'search.json'), JSON.stringify(index))
  await build({
    entryPoints: [at('scripts/docs/search.mjs')],
    bundle: true,
    minify: true,
    format: 'esm',
    outfile: join(folder, 'search.js'),
    logLevel: 'warning',
  })
  return pages.length
}

/**
 * @param {InstanceType<typeof import('markdown-it').default>} markdown
 * @param {string} name
 * @param {string} source
 * @returns {Page}
 */
function render(markdown, name, source) {
  const tokens = markdown.parse(source, {})
  /** @type {Page} */
  const page = { name, title: name, html: '', sections: [], ids: new Set(), links: [] }
  tokens.forEach((token, i) => {
    const inline = tokens[i + 1]
    if (token.type === 'heading_open' && inline) {
      const title = plain(inline)
      const id = freeId(slug(title), page.ids)
      token.attrSet('id', id)
      page.ids.add(id)
      if (token.tag === 'h1') page.title = title
      page.sections.push({ id, title, text: '' })
    }
    if (token.type === 'inline') {
      const section = page.sections.at(-1)
      if (section && tokens[i - 1]?.type !== 'heading_open') section.text += `${plain(token)}\n`
      for (const child of token.children ?? []) {
        const attribute = child.type === 'image' ? 'src' : 'href'
        const link = child.type === 'image' || child.type === 'link_open' ? String(child.attrGet(attribute) ?? '') : ''
        if (link === '') continue
        page.links.push(link)
        // What lies elsewhere in the repository is only named.
        if (link.startsWith('../')) child.attrs = null
        else child.attrSet(attribute, siteLink(link))
      }
    }
    if (token.type === 'fence') {
      const section = page.sections.at(-1)
      if (section) section.text += token.content
    }
  })
  page.html = markdown.renderer.render(tokens, markdown.options, {})
  return page
}

/** @param {import('markdown-it').Token} token @returns {string} */
const plain = token => (token.children ? token.children.map(plain).join('') : token.content)

/** As GitHub makes them, so that a link works in both places. @param {string} title */
const slug = title =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** @param {string} id @param {Set<string>} taken */
function freeId(id, taken) {
  for (let n = 0; ; n++) {
    const candidate = n === 0 ? id : `${id}-${n}`
    if (!taken.has(candidate)) return candidate
  }
}

/** A page of the site for a page of docs/. @param {string} link */
function siteLink(link) {
  if (/^[a-z]+:/.test(link) || link.startsWith('#')) return link
  return link.replace(/\.md(?=#|$)/, '.html')
}

/** @param {Page} page @param {string} link @param {Page[]} pages @returns {string[]} */
function leadsNowhere(page, link, pages) {
  if (/^[a-z]+:/.test(link)) return []
  const [path = '', id] = link.split('#')
  const where = `docs/${page.name}.md: ${link}`
  const target = path === '' ? page : pages.find(({ name }) => `${name}.md` === path)
  if (target) return id === undefined || target.ids.has(id) ? [] : [where]
  return existsSync(resolve(at('docs'), path)) ? [] : [where]
}

/** @param {Page} page @param {Page[]} pages */
function document(page, pages) {
  const menu = pages
    .map(({ name, title }) => `<li><a href="${name}.html"${name === page.name ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} · credence</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<script type="module" src="search.js"></script>
<a class="skip" href="#content">To the text</a>
<nav aria-label="Pages">
<p><a href="index.html">credence</a></p>
<search><label for="search">Search</label><input id="search" type="search" autocomplete="off" aria-controls="found"><ol id="found" aria-live="polite"></ol></search>
<ul>
${menu}
</ul>
</nav>
<main id="content">
${page.html}</main>
</html>
`
}

/** Every public type with its comments, which are the reference: what each entry of the package exports. */
async function apiPage() {
  const { format } = await import('prettier')
  const { exports: exported, name: packageName, prettier: style } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'credence-types-'))
  const parts = ['# API', 'Every public type, with its meaning, units, ranges, defaults and errors, as it stands in the source.']
  try {
    writeDeclarations(folder)
    for (const [entry, { types }] of Object.entries(exported)) {
      if (!types) continue
      parts.push(`## ${packageName}${entry.slice(1)}`)
      for (const { title, comment, code } of declarations(join(folder, types.replace('./dist/', '')))) {
        const formatted = await format(code, { parser: 'typescript', ...style, printWidth: 100 })
        parts.push(`### ${title}`, comment, `\`\`\`ts\n${formatted}\`\`\``)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return parts.join('\n\n')
}

/** @param {string} text */
const escape = text => text.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const count = await buildDocs(at('dist-docs'))
  console.log(`${count} pages in ${relative(process.cwd(), at('dist-docs'))}: open index.html through any static server`)
}
