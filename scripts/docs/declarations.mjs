import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** @typedef {{ title: string, comment: string, code: string }} Declaration */

/**
 * What a declaration file exports, with the comments before it: what it declares itself, then what it exports of other files beside it.
 * @param {string} file
 * @returns {Declaration[]}
 */
export function declarations(file) {
  const source = readFileSync(file, 'utf8')
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  /** @type {Declaration[]} */
  const own = []
  /** @type {Declaration[]} */
  const others = []
  /** @type {Map<string, string>} by name, where what is imported comes from */
  const imported = new Map()

  /** Those of another file that have these names there, or all. @param {string} from @param {string[]} [names] */
  function take(from, names) {
    if (!from.startsWith('.')) return
    const found = declarations(join(dirname(file), from.replace(/\.js$/, '.d.ts')))
    others.push(...(names ? found.filter(({ title }) => names.includes(title)) : found))
  }

  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      for (const { local } of node.specifiers) imported.set(local.name, node.source.value)
    } else if (node.type === 'ExportAllDeclaration') {
      take(node.source.value)
    } else if (node.type === 'ExportNamedDeclaration' && node.declaration) {
      const { declaration, start, end } = node
      const id = 'declarations' in declaration ? declaration.declarations[0]?.id : declaration.id
      const before = comments.findLast(comment => comment.end <= start && source.slice(comment.end, start).trim() === '')
      own.push({
        title: id && 'name' in id ? String(id.name) : '',
        comment: (before?.value ?? '').replace(/^\*?\s*|\s*$/g, '').replace(/^\s*\* ?/gm, ''),
        code: source
          .slice(start, end)
          .replace(/^export (declare )?/, '')
          .replace(/^ *#private;\n/m, ''),
      })
    } else if (node.type === 'ExportNamedDeclaration') {
      const names = node.specifiers.map(({ local }) => ('name' in local ? local.name : local.value))
      if (node.source) take(node.source.value, names)
      else for (const name of names) take(imported.get(name) ?? '', [name])
    }
  }
  return [...own, ...others]
}
