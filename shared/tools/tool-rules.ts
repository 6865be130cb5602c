// What an HTTP tool may be: its address, its arguments and its body fit together. The form and the server ask the same questions.
import { BUILT_IN_TOOLS } from './functions.ts'
import { TOOL_PARAMETERS_MAX, type ToolDefinition, type ToolHeader, type ToolMethod } from './tools.ts'

/** What is wrong with a tool, by the field that it is about. */
export type ToolProblem =
  | 'name_reserved'
  | 'url_invalid'
  | 'url_placeholder_place'
  | 'url_path_optional'
  | 'placeholder_unknown'
  | 'argument_unused'
  | 'argument_twice'
  | 'required_unknown'
  | 'header_forbidden'
  | 'header_twice'
  | 'body_not_json'
  | 'body_key_placeholder'
  | 'body_without_post'
  | 'secret_without_https'
  | 'too_many_arguments'
  | 'approval_missing'
  | 'title_missing'

/** Headers that the client sets itself, or that lead the call elsewhere. */
const FORBIDDEN_HEADERS = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['keep-alive', 'expect', 'user-agent', 'accept-encoding', 'via', 'forwarded'],
])
const PLACEHOLDER = /\{([a-zA-Z][a-zA-Z0-9_]*)\}/g

/** An address taken apart: what stands before the path, segments of the path, and pairs of the query, all as they are written. */
export type AddressTemplate = { origin: string; segments: string[]; pairs: { name: string; value: string }[] }

/** The parts of an address; null where it is none, or a placeholder stands before the path, in a name of the query, or behind a `#`. */
export function readAddress(template: string): AddressTemplate | null {
  const match = /^(https?:\/\/[^/?#{}\s\\@]+)(\/[^?#]*)?(?:\?([^#]*))?$/i.exec(template)
  if (!match) return null
  const [, origin = '', ...rest] = match
  const [path = '/', query] = rest.map((part) => part && written(part))
  const pairs = (query ?? '').split('&').flatMap((pair) => (pair === '' ? [] : [splitPair(pair)]))
  if (pairs.some(({ name }) => /[{}]/.test(name))) return null
  const bare = (path + (query === undefined ? '' : `?${query}`)).replace(PLACEHOLDER, 'x')
  if (/[{}\\]/.test(bare)) return null
  const url = URL.parse(origin + bare)
  // Nothing may be rewritten on the way, or a filled-in address would not be the one that was checked.
  if (!url || url.pathname + url.search !== bare.replace(/\?$/, '')) return null
  return { origin, segments: path.split('/').slice(1), pairs }
}

/** As a browser would send what a person has copied or typed, letters of any language and spaces included; placeholders stay. */
function written(text: string): string {
  return text.toWellFormed().replace(/(\{[^{}]*\})|[^\x21-\x7e]|["<>`'^|]/gu, (sign, placeholder?: string) => {
    return placeholder ?? (sign === "'" ? '%27' : encodeURIComponent(sign))
  })
}

function splitPair(pair: string): { name: string; value: string } {
  const at = pair.indexOf('=')
  return at < 0 ? { name: pair, value: '' } : { name: pair.slice(0, at), value: pair.slice(at + 1) }
}

/** The names of the placeholders in a text. */
export function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

/** What stands around a placeholder. */
export type Around = { before: string; after: string }

/** The text with each placeholder replaced. */
export function fillPlaceholders(text: string, textOf: (name: string, around: Around) => string): string {
  return text.replace(PLACEHOLDER, (found: string, name: string, at: number) =>
    textOf(name, { before: text.slice(0, at), after: text.slice(at + found.length) }),
  )
}

/** All that is wrong; empty: the tool can be saved. */
export function problemsOf(tool: ToolDefinition): ToolProblem[] {
  return [
    ...(BUILT_IN_TOOLS.includes(tool.name) ? ['name_reserved' as const] : []),
    ...argumentProblems(tool),
    ...addressProblems(tool),
    ...headerProblems(tool.headers),
    ...bodyProblems(tool),
    ...unusedProblems(tool),
    ...approvalProblems(tool),
  ]
}

/** Whether calls by this method are sent with a body. */
export function hasBody(method: ToolMethod): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** What changes something is agreed to by a person, who reads what it is. */
function approvalProblems({ method, approval, title }: ToolDefinition): ToolProblem[] {
  if (approval === 'none') return method === 'GET' || method === 'POST' ? [] : ['approval_missing']
  return title === '' ? ['title_missing'] : []
}

function argumentProblems({ parameters, bound }: ToolDefinition): ToolProblem[] {
  const names = [...Object.keys(parameters.properties), ...bound.map(({ argument }) => argument)]
  const required = parameters.required ?? []
  return [
    ...(names.length > TOOL_PARAMETERS_MAX ? ['too_many_arguments' as const] : []),
    ...(new Set(names).size < names.length ? ['argument_twice' as const] : []),
    ...(required.some((name) => !Object.hasOwn(parameters.properties, name)) ? ['required_unknown' as const] : []),
  ]
}

function addressProblems({ url, parameters, bound, headers }: ToolDefinition): ToolProblem[] {
  const address = readAddress(url)
  if (!address) return [/^https?:\/\/[^/?#]*[{}]/i.test(url) ? 'url_placeholder_place' : 'url_invalid']
  const always = new Set([...(parameters.required ?? []), ...bound.map(({ argument }) => argument)])
  const isOptional = address.segments.flatMap(placeholdersOf).some((name) => !always.has(name))
  const isOpen = headers.some(({ secretId }) => secretId !== null) && !/^https:/i.test(url)
  return [...(isOptional ? ['url_path_optional' as const] : []), ...(isOpen ? ['secret_without_https' as const] : [])]
}

function headerProblems(headers: ToolHeader[]): ToolProblem[] {
  const names = headers.map(({ name }) => name.toLowerCase())
  const isForbidden = names.some((name) => FORBIDDEN_HEADERS.has(name) || /^(proxy|sec)-/.test(name))
  return [
    ...(isForbidden ? ['header_forbidden' as const] : []),
    ...(new Set(names).size < names.length ? ['header_twice' as const] : []),
  ]
}

function bodyProblems({ body, method }: ToolDefinition): ToolProblem[] {
  if (body.trim() === '') return []
  if (!hasBody(method)) return ['body_without_post']
  const json = parseBody(body)
  if (json === undefined) return ['body_not_json']
  return hasPlaceholderKey(json) ? ['body_key_placeholder'] : []
}

/** The body as a value; undefined where it is no JSON. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

function hasPlaceholderKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPlaceholderKey)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => placeholdersOf(key).length > 0 || hasPlaceholderKey(item))
}

function unusedProblems({ url, body, parameters, bound }: ToolDefinition): ToolProblem[] {
  const known = new Set([...Object.keys(parameters.properties), ...bound.map(({ argument }) => argument)])
  const used = new Set([...placeholdersOf(url), ...placeholdersOf(body)])
  return [
    ...([...used].some((name) => !known.has(name)) ? ['placeholder_unknown' as const] : []),
    ...([...known].some((name) => !used.has(name)) ? ['argument_unused' as const] : []),
  ]
}
