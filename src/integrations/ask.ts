/** A host's own model as a function, and how to make one of what hosts have. */

export interface AskMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** One question to a model. */
export interface Question {
  messages: AskMessage[]
  /** A JSON schema that the answer should follow, for models that can be held to one. */
  schema?: object
  /** Fires when the answer is not waited for any more. */
  signal: AbortSignal
}

/** Resolves with the text that the model answers. What else comes back, or a rejection, counts as no answer. */
export type Ask = (question: Question) => PromiseLike<string>

interface Completion {
  choices: readonly { message?: { content?: string | null } }[]
}
/** What is sent to it besides `messages`: `response_format`. */
// oxlint-disable-next-line typescript/no-explicit-any -- any request and answer of the host's own types
type Create = (request: any, options?: any) => PromiseLike<any>

/** For a function in the style of OpenAI's: `openAI(request => client.chat.completions.create({ model: 'gpt-5-mini', ...request }))`. */
export function openAI(create: Create): Ask {
  return completions(create, schema => ({ type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } }))
}

/** For WebLLM, which takes a schema in its own way: `webLLM(request => engine.chat.completions.create(request))`. */
export function webLLM(create: Create): Ask {
  return completions(create, schema => ({ type: 'json_object', schema: JSON.stringify(schema) }))
}

function completions(create: Create, format: (schema: object) => object): Ask {
  return async ({ messages, schema, signal }) => {
    const request = { messages, ...(schema && { response_format: format(schema) }) }
    const answer = (await create(request, { signal })) as Completion
    return answer.choices[0]?.message?.content ?? ''
  }
}

/** What is used of `LanguageModel`. */
export interface LanguageModels {
  create(options: { initialPrompts: AskMessage[]; signal: AbortSignal }): Promise<{
    prompt(input: string, options: { responseConstraint?: object; signal: AbortSignal }): Promise<string>
    destroy(): void
  }>
}

/** For the browser's built-in model: `promptApi(LanguageModel)`. Each question has a session of its own. */
export function promptApi(models: LanguageModels): Ask {
  return async ({ messages, schema, signal }) => {
    const session = await models.create({ initialPrompts: messages.slice(0, -1), signal })
    try {
      return await session.prompt(messages.at(-1)!.content, { signal, ...(schema && { responseConstraint: schema }) })
    } finally {
      session.destroy()
    }
  }
}

/** Milliseconds after which an answer is not waited for any more. */
const patience = 30_000
/** UTF-16 units of an answer that are read: its end. */
const longestRead = 20_000

/**
 * Asks until `read` makes something of the answer, twice at most: the second time the model is told what was wrong, and is not held to the schema, as
 * it may be that what refused. Null when nothing came of it; rejects only when `signal` fires.
 */
export async function askFor<T>(
  ask: Ask,
  { messages, schema }: Pick<Question, 'messages' | 'schema'>,
  read: (text: string) => T | null,
  signal: AbortSignal | undefined,
): Promise<T | null> {
  const all = [...messages]
  for (const held of schema ? [schema, undefined] : [undefined]) {
    const text = await answerTo(ask, { messages: [...all], ...(held && { schema: held }) }, signal)
    const found = text === null ? null : read(text)
    if (found !== null) return found
    const wrong = 'That was not the JSON that was asked for. Answer again, with nothing but that JSON.'
    if (text !== null) all.push({ role: 'assistant', content: text.slice(-2000) }, { role: 'user', content: wrong })
  }
  return null
}

async function answerTo(ask: Ask, question: Omit<Question, 'signal'>, signal: AbortSignal | undefined): Promise<string | null> {
  signal?.throwIfAborted()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('The model took too long.', 'TimeoutError')), patience)
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  const ended = new Promise<null>(resolve => either.addEventListener('abort', () => resolve(null), { once: true }))
  const answered = async () => ask({ ...question, signal: either })
  const text: unknown = await Promise.race([answered().catch(() => null), ended])
  clearTimeout(timer)
  signal?.throwIfAborted()
  return typeof text === 'string' ? text.slice(-longestRead) : null
}

/** The JSON objects of a text, whatever stands around them, the last first: a model that thinks aloud, or corrects itself, comes to its answer at the end. */
export function* jsonObjects(text: string): Generator<Record<string, unknown>> {
  const starts = [...text.matchAll(/\{/g)].map(({ index }) => index).slice(-50)
  for (const start of starts.reverse()) {
    const value = parsed(text.slice(start, endOfObject(text, start)))
    if (typeof value === 'object' && value !== null) yield value as Record<string, unknown>
  }
}

/** The place after the bracket that closes the one at `start`; brackets in strings do not count. */
function endOfObject(text: string, start: number): number {
  let open = 0
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') open++
    else if (token === '}' && --open === 0) return start + index + 1
  }
  return start
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
