/**
 * The exported declarations of a TypeScript module, with their comments. Our sources are formatted: a declaration begins with `export` at the beginning of
 * a line and ends at the first line after it that begins with a closing bracket, or on its own line; of a function or class only the signature is shown.
 * @param {string} source
 * @returns {{ title: string, comment: string, code: string }[]}
 */
export function declarations(source) {
  const lines = source.split('\n')
  const found = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const [, kind, title] = /^export (?:declare )?(?:abstract )?(?:async )?(interface|type|class|function|const) (\w+)/.exec(line) ?? []
    if (!kind || !title) continue
    let end = i
    while (end + 1 < lines.length && /^[\s|})\]]|^$/.test(lines[end + 1] ?? '') && !closes(lines[end] ?? '', end === i)) end++
    let text = lines
      .slice(i, end + 1)
      .join('\n')
      .trimEnd()
    if (kind === 'function') text = text.replace(/ \{\n[\s\S]*$/, '')
    if (kind === 'const') text = text.replace(/ = [\s\S]*$/, '')
    if (kind === 'class') text = publicPart(text)
    found.push({ title, comment: commentBefore(lines, i), code: text })
  }
  return found
}

/** @param {string} line @param {boolean} first */
const closes = (line, first) =>
  first ? /^export .*[^{([|=,&:]$/.test(line) && !/[{([]$/.test(line) : /^[})\]]/.test(line) && !/[{([:]$/.test(line)

/** Members that are neither private nor bodies. @param {string} text */
function publicPart(text) {
  const lines = text.split('\n')
  const kept = []
  let inBody = false
  for (const line of lines) {
    if (inBody) {
      if (/^ {2}\}/.test(line)) inBody = false
      continue
    }
    if (/^ {2}(readonly )?#|^ {2}(async )?\*?#/.test(line)) {
      inBody = /\{$/.test(line)
      continue
    }
    if (/^ {2}\S.*\) ?(:.*)?\{$/.test(line)) {
      inBody = true
      kept.push(line.replace(/ \{$/, ''))
      continue
    }
    kept.push(line)
  }
  return kept.join('\n').replace(/\n{2,}/g, '\n')
}

/** @param {string[]} lines @param {number} index */
function commentBefore(lines, index) {
  if (!/\*\/\s*$/.test(lines[index - 1] ?? '')) return ''
  let start = index - 1
  while (start > 0 && !/^\s*\/\*\*/.test(lines[start] ?? '')) start--
  return lines
    .slice(start, index)
    .join('\n')
    .replace(/^\s*\/\*\*\s?|\s*\*\/\s*$/g, '')
    .replace(/^ \* ?/gm, '')
    .trim()
}
