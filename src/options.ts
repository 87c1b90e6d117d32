/**
 * Checks of everything that comes in through the public interface, on both sides of the worker: the page refuses before it sends,
 * the engine refuses for those who use it directly. Each check returns the value with its defaults filled in, and takes its own result back.
 */

import type {
  AnswerOptions,
  AugmentOptions,
  BeliefFilter,
  ChatMessage,
  Feedback,
  ForgetTarget,
  HubModel,
  ImportMode,
  MemoryEvent,
  MemoryOptions,
  ModelRole,
  Parameters,
  Progress,
  RecalledItem,
  RecallOptions,
  Role,
  Turn,
} from './memory.ts'
import { CredenceError, refuseUnknown } from './errors.ts'
import { parameterTable } from './parameters.ts'

/** A turn with its time as a number; `id` and `at` are still missing when the host left them to us. */
export interface CheckedTurn extends Omit<Turn, 'trusted'> {
  trusted?: false
  role: Role
  at?: number
}

export interface CheckedRecallOptions extends RecallOptions {
  budget: number
  at?: number
}

export interface CheckedAugmentOptions extends AugmentOptions {
  budget: number
  at?: number
}

export interface CheckedAnswerOptions extends AnswerOptions {
  budget: number
  at?: number
  tokens: number
}

export interface CheckedForgetTarget extends ForgetTarget {
  since?: number
}

export interface CheckedMemoryOptions extends MemoryOptions {
  name: string
  device: NonNullable<MemoryOptions['device']>
  granularity: NonNullable<MemoryOptions['granularity']>
  controller: NonNullable<MemoryOptions['controller']>
  parameters: Parameters
  allowDownload: boolean
  readOnly: boolean
  languages: readonly string[]
}

const roles: readonly Role[] = ['user', 'assistant', 'system', 'tool']
const modelRoles: readonly ModelRole[] = ['embedder', 'embedder-zh', 'nli', 'evidence', 'lm']
const longestText = 1_000_000

export function checkMemoryOptions(options: MemoryOptions = {}): CheckedMemoryOptions {
  const where = 'openMemory'
  record(options, `the options of ${where}`)
  refuseUnknown(
    options,
    [
      'name',
      'assets',
      'models',
      'languages',
      'allowDownload',
      'device',
      'granularity',
      'controller',
      'parameters',
      'passphrase',
      'readOnly',
      'onProgress',
      'signal',
    ],
    where,
  )
  const name = options.name ?? 'default'
  if (typeof name !== 'string' || name.length < 1 || name.length > 100) refuse('name', 'a string of 1 to 100 characters', name)
  if (options.assets !== undefined && !(options.assets instanceof URL) && (typeof options.assets !== 'string' || options.assets === '')) {
    refuse('assets', 'a URL or a non-empty string', options.assets)
  }
  if (options.passphrase !== undefined) checkPassphrase(options.passphrase)
  if (options.models !== undefined) checkModels(options.models)
  optionalFunction(options.onProgress, 'onProgress')
  optionalSignal(options.signal, 'signal')
  return {
    ...options,
    name,
    languages: checkLanguages(options.languages ?? globalThis.navigator?.languages ?? []),
    allowDownload: flag(options.allowDownload, 'allowDownload'),
    device: oneOf(options.device ?? 'auto', ['auto', 'webgpu', 'wasm'], 'device'),
    granularity: oneOf(options.granularity ?? 'proposition', ['proposition', 'turn'], 'granularity'),
    controller: oneOf(options.controller ?? 'auto', ['auto', 'likelihood', 'learned'], 'controller'),
    parameters: checkParameters(options.parameters),
    readOnly: flag(options.readOnly, 'readOnly'),
  }
}

export function checkPassphrase(passphrase: string): string {
  if (string(passphrase, 'passphrase').length < 1 || passphrase.length > 1000)
    refuse('passphrase', '1 to 1,000 characters long', passphrase)
  return passphrase
}

/** All parameters: the table's defaults, with `overrides` where given. */
export function checkParameters(overrides: Partial<Parameters> = {}): Parameters {
  record(overrides, 'parameters')
  const names = Object.keys(parameterTable) as (keyof Parameters)[]
  refuseUnknown(overrides, names, 'parameters')
  const all = {} as Parameters
  for (const name of names) {
    const { min, max, integer, default: value } = parameterTable[name]
    all[name] = number(overrides[name] ?? value, `parameters.${name}`, min, max, integer)
  }
  return all
}

export function checkTurn(turn: Turn): CheckedTurn {
  record(turn, 'a turn')
  refuseUnknown(turn, ['role', 'text', 'id', 'at', 'speaker', 'trusted', 'conversation'], 'a turn')
  const checked: CheckedTurn = {
    role: oneOf(turn.role ?? 'user', roles, 'turn.role'),
    text: string(turn.text, 'turn.text'),
  }
  if (turn.text.length > longestText) {
    throw new CredenceError(
      'InvalidArgument',
      `turn.text has ${turn.text.length} UTF-16 units; at most ${longestText} are taken, so split the turn`,
      {
        data: { argument: 'turn.text' },
      },
    )
  }
  if (turn.id !== undefined) checked.id = identifier(turn.id, 'turn.id')
  if (turn.at !== undefined) checked.at = checkTime(turn.at, 'turn.at')
  if (turn.speaker !== undefined) checked.speaker = identifier(turn.speaker, 'turn.speaker')
  if (!flag(turn.trusted ?? true, 'turn.trusted')) checked.trusted = false
  if (turn.conversation !== undefined) checked.conversation = identifier(turn.conversation, 'turn.conversation')
  return checked
}

/** Options that are a signal only. */
export function checkSignal<O extends { signal?: AbortSignal }>(options: O = {} as O, method: string): O {
  record(options, `the options of ${method}`)
  refuseUnknown(options, ['signal'], method)
  optionalSignal(options.signal, 'signal')
  return options
}

export function checkObserveAllOptions<O extends { signal?: AbortSignal; onProgress?: (p: Progress) => void; total?: number }>(
  options: O = {} as O,
): O {
  record(options, 'the options of observeAll')
  refuseUnknown(options, ['signal', 'onProgress', 'total'], 'observeAll')
  optionalSignal(options.signal, 'signal')
  optionalFunction(options.onProgress, 'onProgress')
  if (options.total !== undefined) number(options.total, 'total', 0, Number.MAX_SAFE_INTEGER, true)
  return options
}

export function checkQuery(query: string): string {
  return string(query, 'query')
}

export function checkRecallOptions(options: RecallOptions = {}): CheckedRecallOptions {
  record(options, 'the options of recall')
  refuseUnknown(options, ['budget', 'at', 'limit', 'seen', 'signal'], 'recall')
  return recallOptions(options)
}

export function checkAugmentOptions(options: AugmentOptions = {}): CheckedAugmentOptions {
  record(options, 'the options of augment')
  refuseUnknown(options, ['budget', 'at', 'limit', 'window', 'place', 'signal'], 'augment')
  const checked: CheckedAugmentOptions = recallOptions(options)
  if (options.window !== undefined) checked.window = number(options.window, 'window', 0, Number.MAX_SAFE_INTEGER, true)
  if (options.place !== undefined) checked.place = oneOf(options.place, ['message', 'system', 'user'], 'place')
  return checked
}

export function checkAnswerOptions(options: AnswerOptions = {}): CheckedAnswerOptions {
  record(options, 'the options of answer')
  refuseUnknown(options, ['budget', 'at', 'limit', 'seen', 'signal', 'options', 'tokens', 'recall'], 'answer')
  const checked: CheckedAnswerOptions = { ...recallOptions(options), tokens: number(options.tokens ?? 48, 'tokens', 1, 256, true) }
  const { options: given, recall } = options
  if (recall !== undefined) {
    record(recall, 'recall')
    checkItems(recall.beliefs, 'recall.beliefs')
    checkItems(recall.turns, 'recall.turns')
    checked.recall = recall
  }
  if (given === undefined) return checked
  if (!Array.isArray(given) || given.length < 2 || given.length > 20) refuse('options', 'an array of 2 to 20 texts', given)
  return { ...checked, options: given.map((option, i) => written(option, `options[${i}]`)) }
}

function written(text: unknown, name: string): string {
  const checked = identifier(text, name)
  return checked.trim() === '' ? refuse(name, 'more than white space', text) : checked
}

/** Only what a block is written from. */
export function checkItems(items: readonly RecalledItem[], name = 'items'): readonly RecalledItem[] {
  if (!Array.isArray(items)) refuse(name, 'an array', items)
  items.forEach((item: RecalledItem, i) => {
    record(item, `${name}[${i}]`)
    string(item.text, `${name}[${i}].text`)
    checkTime(item.at, `${name}[${i}].at`)
  })
  return items
}

export const checkBudget = (budget: number = 400): number => number(budget, 'budget', 0, Number.MAX_SAFE_INTEGER, true)

function recallOptions(options: RecallOptions): CheckedRecallOptions {
  const checked: CheckedRecallOptions = { budget: checkBudget(options.budget) }
  if (options.at !== undefined) checked.at = checkTime(options.at, 'at')
  if (options.limit !== undefined) checked.limit = number(options.limit, 'limit', 1, 50, true)
  if (options.seen !== undefined) {
    if (!Array.isArray(options.seen)) refuse('seen', 'an array', options.seen)
    checked.seen = options.seen.map((turn, i) => {
      record(turn, `seen[${i}]`)
      return { text: string(turn.text, `seen[${i}].text`), ...(turn.id !== undefined && { id: identifier(turn.id, `seen[${i}].id`) }) }
    })
  }
  if (options.signal !== undefined) checked.signal = signal(options.signal, 'signal')
  return checked
}

/** Messages may carry more than we read, such as a tool's call: that is the host's, and comes back as it was. */
export function checkMessages(messages: ChatMessage[]): ChatMessage[] {
  if (!Array.isArray(messages)) refuse('messages', 'an array', messages)
  messages.forEach((message, i) => {
    record(message, `messages[${i}]`)
    oneOf(message.role, [...roles, 'developer', 'function'], `messages[${i}].role`)
    checkContent(message.content, `messages[${i}].content`)
    if (message.id !== undefined) identifier(message.id, `messages[${i}].id`)
  })
  return messages
}

function checkContent(content: ChatMessage['content'], where: string): void {
  if (typeof content === 'string' || content === null || content === undefined) return
  if (!Array.isArray(content)) refuse(where, 'a string, an array of parts or null', content)
  content.forEach((part, i) => record(part, `${where}[${i}]`))
}

export function checkFeedback(feedback: Feedback): Feedback {
  record(feedback, 'feedback')
  refuseUnknown(feedback, ['query', 'answer', 'used', 'signal'], 'feedback')
  string(feedback.query, 'feedback.query')
  string(feedback.answer, 'feedback.answer')
  if (feedback.used !== undefined) {
    if (!Array.isArray(feedback.used)) refuse('feedback.used', 'an array of ids', feedback.used)
    feedback.used.forEach((id, i) => identifier(id, `feedback.used[${i}]`))
  }
  optionalSignal(feedback.signal, 'feedback.signal')
  return feedback
}

export function checkFilter(filter: BeliefFilter = {}): BeliefFilter {
  record(filter, 'the filter of beliefs')
  refuseUnknown(filter, ['text', 'kind', 'topic', 'speaker', 'past', 'minConfidence'], 'beliefs')
  if (filter.text !== undefined) string(filter.text, 'text')
  if (filter.kind !== undefined) oneOf(filter.kind, ['fact', 'hypothesis'], 'kind')
  if (filter.topic !== undefined) string(filter.topic, 'topic')
  if (filter.speaker !== undefined) string(filter.speaker, 'speaker')
  if (filter.minConfidence !== undefined) number(filter.minConfidence, 'minConfidence', 0, 1)
  flag(filter.past, 'past')
  return filter
}

export function checkForget(target: string | ForgetTarget): string | CheckedForgetTarget {
  if (typeof target === 'string') return identifier(target, 'target')
  record(target, 'target')
  refuseUnknown(target, ['turn', 'since'], 'forget')
  if ((target.turn === undefined) === (target.since === undefined)) refuse('target', 'an id, { turn } or { since }, and only one of them')
  return target.turn !== undefined ? { turn: identifier(target.turn, 'target.turn') } : { since: checkTime(target.since!, 'target.since') }
}

export function checkId(id: string): string {
  return identifier(id, 'id')
}

/** A belief's new text. */
export function checkText(text: string): string {
  if (string(text, 'text').trim() === '') refuse('text', 'more than white space (use retract or forget to be rid of a belief)')
  if (text.length > longestText) refuse('text', `at most ${longestText} UTF-16 units long`, text)
  return text
}

export function checkPinned(pinned: boolean = true): boolean {
  if (typeof pinned !== 'boolean') refuse('pinned', 'true or false', pinned)
  return pinned
}

export function checkImportMode(mode: ImportMode = 'skip'): ImportMode {
  return oneOf(mode, ['skip', 'overwrite', 'append'], 'mode')
}

export function checkListener(listener: (event: MemoryEvent) => void): void {
  if (typeof listener !== 'function') refuse('listener', 'a function', listener)
}

/** Milliseconds since 1970. */
export function checkTime(at: Date | string | number, where: string): number {
  const time = at instanceof Date ? at.getTime() : typeof at === 'number' ? new Date(at).getTime() : isoTime(at)
  if (Number.isNaN(time)) refuse(where, 'a valid Date, an ISO 8601 string or milliseconds since 1970', at)
  return time
}

/** `Date.parse` takes almost anything ("May 1" becomes 2001), so only the standard form is let through to it. */
function isoTime(text: unknown): number {
  const iso = /^([+-]\d{6}|\d{4})(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/
  return typeof text === 'string' && iso.test(text) ? Date.parse(text) : NaN
}

function checkLanguages(languages: readonly string[]): readonly string[] {
  if (!Array.isArray(languages)) refuse('languages', 'an array of BCP 47 tags', languages)
  return languages.map((tag, i) => {
    try {
      return Intl.getCanonicalLocales([tag])[0]!
    } catch {
      return refuse(`languages[${i}]`, 'a BCP 47 tag', tag)
    }
  })
}

function checkModels(models: NonNullable<MemoryOptions['models']>): void {
  record(models, 'models')
  refuseUnknown(models, modelRoles, 'models')
  for (const role of modelRoles) {
    const model: HubModel | false | undefined = models[role]
    if (model === undefined || model === false) continue
    const where = `models.${role}`
    record(model, where)
    refuseUnknown(
      model,
      role.startsWith('embedder') ? ['hub', 'revision', 'file', 'pooling', 'queryPrefix'] : ['hub', 'revision', 'file'],
      where,
    )
    if (!/^[\w.-]+\/[\w.-]+$/.test(string(model.hub, `${where}.hub`)))
      refuse(`${where}.hub`, 'an owner and a name, such as "Xenova/bge-small-en-v1.5"', model.hub)
    if (!/^[0-9a-f]{40}$/.test(string(model.revision, `${where}.revision`))) {
      refuse(`${where}.revision`, 'a commit hash of 40 hex digits, so that the files cannot change', model.revision)
    }
    if (model.file !== undefined) identifier(model.file, `${where}.file`)
    if (model.pooling !== undefined) oneOf(model.pooling, ['cls', 'mean'], `${where}.pooling`)
    if (model.queryPrefix !== undefined) string(model.queryPrefix, `${where}.queryPrefix`)
  }
}

/** Without `got` where its kind is the right one. */
function refuse(argument: string, wanted: string, ...got: [unknown?]): never {
  const instead = got.length > 0 ? `, not ${show(got[0])}` : ''
  throw new CredenceError('InvalidArgument', `${argument} must be ${wanted}${instead}`, { data: { argument } })
}

/** Numbers and kinds only: what a person wrote stays out of messages. */
function show(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return value === '' ? 'an empty string' : `a string of ${value.length} characters`
  if (Array.isArray(value)) return `an array of ${value.length}`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function record(value: unknown, where: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(where, 'an object', value)
}

function string(value: unknown, where: string): string {
  if (typeof value !== 'string') refuse(where, 'a string', value)
  return value
}

function identifier(value: unknown, where: string): string {
  if (string(value, where) === '') refuse(where, 'a non-empty string', value)
  return value as string
}

function number(value: unknown, where: string, min: number, max: number, integer = false): number {
  if (typeof value !== 'number' || !(value >= min && value <= max) || (integer && !Number.isInteger(value))) {
    const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`
    refuse(where, `${integer ? 'an integer' : 'a number'} ${range}`, value)
  }
  return value
}

function oneOf<T extends string>(value: T, allowed: readonly T[], where: string): T {
  if (!allowed.includes(value)) refuse(where, `one of ${allowed.map(a => `"${a}"`).join(', ')}`, value)
  return value
}

function flag(value: boolean | undefined, where: string): boolean {
  if (value !== undefined && typeof value !== 'boolean') refuse(where, 'true or false', value)
  return value ?? false
}

function optionalFunction(value: unknown, where: string): void {
  if (value !== undefined && typeof value !== 'function') refuse(where, 'a function', value)
}

function optionalSignal(value: unknown, where: string): void {
  if (value !== undefined) signal(value, where)
}

/** By shape: signals of another realm, as an iframe's, are as good. */
function signal(value: unknown, where: string): AbortSignal {
  const candidate = value as Partial<AbortSignal> | null
  if (
    typeof candidate !== 'object' ||
    candidate === null ||
    typeof candidate.aborted !== 'boolean' ||
    typeof candidate.addEventListener !== 'function'
  ) {
    refuse(where, 'an AbortSignal', value)
  }
  return value as AbortSignal
}
