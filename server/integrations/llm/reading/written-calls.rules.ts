// Tool calls that a model has written as words, in the forms that models and gateways are known for. Decisions only.
import type { Tool } from '../tool.ts'
import { balancedEnd, parseLoosely, withStrings } from './loose-json.rules.ts'

/** The tools that a model may call. */
export type ReaderTools = Pick<Tool, 'name' | 'parameters'>[]
/** A call whose name or arguments may be wrong; `input`: JSON text. */
export type WrittenCall = { toolName: string; input: string; isValid: boolean }

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function_name', 'recipient_name', 'action', 'function']
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input', 'params', 'kwargs']
const LIST_KEYS = ['tool_calls', 'tool_uses', 'calls', 'function_call']
const OTHER_KEYS = new Set(['id', 'type', 'index', 'call_id', 'tool_call_id'])
/** Characters between the name of a tool and its arguments. */
const GAP_MAX = 120

/** Every call in a text that is nothing but calls, in their order. */
export function callsIn(text: string, tools: ReaderTools): WrittenCall[] {
  const found = [...jsonCalls(text, tools), ...markupCalls(text, tools)]
  const calls = found.length > 0 ? found : [...namedCalls(text, tools), ...arrowCalls(text, tools)]
  const seen = new Set<string>()
  return calls.filter(({ toolName, input }) => {
    const key = `${toolName} ${input}`
    return !seen.has(key) && seen.add(key)
  })
}

/** A call of a tool with arguments as it wants them. */
export function asCall(name: string, given: unknown, tools: ReaderTools): WrittenCall {
  const toolName = name
    .trim()
    .replace(/^(?:functions?|tools?|default_api|api)[.:]/i, '')
    .replace(/:\d+$/, '')
  const tool = tools.find((each) => each.name === toolName)
  const args = typeof given === 'string' ? parseLoosely(given) : (given ?? {})
  if (!isRecord(args)) return { toolName, input: typeof given === 'string' ? given : '', isValid: false }
  return { toolName, input: JSON.stringify(args), isValid: tool !== undefined && fits(args, tool.parameters) }
}

/** Whether JSON has the shape of a call and of nothing else, whichever tool it names. */
export function isCallShaped(value: unknown, tools: ReaderTools): boolean {
  const items = Array.isArray(value) ? value : [value]
  return items.length > 0 && items.every((item) => isOneCall(item, tools))
}

function isOneCall(value: unknown, tools: ReaderTools): boolean {
  if (!isRecord(value)) return false
  if (LIST_KEYS.some((key) => isRecord(value[key]) || Array.isArray(value[key]))) return Object.keys(value).length <= 2
  const read = readRecord(value)
  if (!read) return false
  if (tools.some(({ name }) => name === asCall(read.name, {}, tools).toolName)) return true
  const keys = Object.keys(value).filter((key) => !OTHER_KEYS.has(key))
  const isNamed = 'name' in value || 'function' in value || 'tool_name' in value || 'recipient_name' in value
  return keys.length === 2 && isNamed && ('arguments' in value || 'parameters' in value) && isRecordText(read.args)
}

function isRecordText(value: unknown): boolean {
  return isRecord(typeof value === 'string' ? parseLoosely(value) : value)
}

function jsonCalls(text: string, tools: ReaderTools): WrittenCall[] {
  const calls: WrittenCall[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue
    const end = balancedEnd(text, at)
    const value = end === null ? undefined : parseLoosely(text.slice(at, end))
    const read = value === undefined ? [] : callsOf(value, tools)
    if (read.length === 0 || end === null) continue
    calls.push(...read)
    at = end - 1
  }
  return calls
}

function callsOf(value: unknown, tools: ReaderTools): WrittenCall[] {
  if (Array.isArray(value)) return value.flatMap((item) => callsOf(item, tools))
  if (!isRecord(value)) return []
  for (const key of LIST_KEYS) if (isRecord(value[key]) || Array.isArray(value[key])) return callsOf(value[key], tools)
  const read = readRecord(value)
  if (read) return [asCall(read.name, read.args, tools)]
  const [only, ...more] = Object.entries(value)
  const isNamed = only && more.length === 0 && isRecord(only[1]) && tools.some(({ name }) => name === only[0])
  return isNamed ? [asCall(only[0], only[1], tools)] : []
}

function readRecord(value: Record<string, unknown>): { name: string; args: unknown } | null {
  if (isRecord(value.function)) return readRecord(value.function)
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === 'string')
  const argumentKey = ARGUMENT_KEYS.find((key) => key in value)
  if (nameKey === undefined || argumentKey === undefined) return null
  return { name: String(value[nameKey]), args: value[argumentKey] }
}

const BLOCK =
  /<(?:[a-z]\w*:)?(?:function|invoke|tool)(?:=|\s+name=)\s*["']?([\w.:-]+)["']?[^>]*>([\s\S]*?)(?=<\/(?:[a-z]\w*:)?(?:function|invoke|tool)>|<(?:[a-z]\w*:)?(?:function|invoke|tool)(?:=|\s+name=)|$)/giu
const NAMED_BLOCK =
  /<(?:tool_name|name|function_name)>\s*([\w.:-]+)\s*<\/(?:tool_name|name|function_name)>\s*(?:<(?:arguments|parameters|args|input)>)?([\s\S]*?)(?:<\/(?:arguments|parameters|args|input)>|$)/giu
const KEYED_BLOCK = /(?:^|>)\s*([\w.:-]+)\s*((?:<arg_key>[\s\S]*?<\/arg_value>\s*)+)/giu
const PAIR =
  /<parameter(?:=|\s+name=)\s*["']?([\w.-]+)["']?[^>]*>([\s\S]*?)<\/parameter>|<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>|<([\w.-]+)>([\s\S]*?)<\/\5>/giu

/** Calls in markup: a block for the tool, one for each argument. */
function markupCalls(text: string, tools: ReaderTools): WrittenCall[] {
  return [BLOCK, NAMED_BLOCK, KEYED_BLOCK].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '', body = '']) => asCall(name, argumentsOf(name, body, tools), tools)),
  )
}

function argumentsOf(name: string, body: string, tools: ReaderTools): unknown {
  const json = body.trim().startsWith('{') ? parseLoosely(body.trim()) : undefined
  if (isRecord(json)) return json
  const pairs = [...body.matchAll(PAIR)].map(([, a, aValue, b, bValue, c, cValue]) => {
    return [(a ?? b ?? c ?? '').trim(), (aValue ?? bValue ?? cValue ?? '').trim()] as const
  })
  return typed(Object.fromEntries(pairs), asCall(name, {}, tools).toolName, tools)
}

/** Values in markup are texts: made what the tool wants of them. */
function typed(args: Record<string, string>, name: string, tools: ReaderTools): Record<string, unknown> {
  const tool = tools.find((each) => each.name === name)
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      const isText = tool === undefined || typesOf(propertiesOf(tool.parameters)[key]).includes('string')
      return [key, isText ? value : (parseLoosely(value) ?? value)]
    }),
  )
}

/** The name of a tool, then its arguments: as JSON below it, or in brackets as a function has them. */
function namedCalls(text: string, tools: ReaderTools): WrittenCall[] {
  return tools.flatMap(({ name }) => {
    const calls: WrittenCall[] = []
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const after = text.slice(at + name.length)
      const read = /^\s*\(/.test(after) ? inBrackets(after.trimStart()) : jsonAfter(after)
      if (read !== undefined) calls.push(asCall(name, read, tools))
    }
    return calls
  })
}

function jsonAfter(text: string): unknown {
  const start = text.indexOf('{')
  if (start < 0 || start > GAP_MAX) return undefined
  const end = balancedEnd(text, start)
  return end === null ? undefined : parseLoosely(text.slice(start, end))
}

/** Where the brackets of a function call close, and what stands in them; undefined when they hold no arguments. */
export function readBrackets(text: string): { end: number; args: unknown } | undefined {
  const end = balancedEnd(text, 0)
  if (end === null) return undefined
  const args = inBrackets(text.slice(0, end))
  return args === undefined ? undefined : { end, args }
}

function inBrackets(text: string): unknown {
  const end = balancedEnd(text, 0)
  const inner = text.slice(1, end === null ? undefined : end - 1).trim()
  if (inner === '') return {}
  if (inner.startsWith('{')) return parseLoosely(inner)
  const pairs = splitOutside(inner).map((part) => /^\s*(\w+)\s*[=:]\s*([\s\S]+)$/u.exec(part))
  if (pairs.some((pair) => pair === null)) return undefined
  const values = pairs.map((pair) => [pair?.[1] ?? '', parseLoosely(pair?.[2]?.trim() ?? '')] as const)
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values)
}

/** Parts between commas that stand in no brackets and no quotes. */
function splitOutside(text: string): string[] {
  const parts: string[] = []
  let from = 0
  let depth = 0
  for (const { at, character } of withStrings(text)) {
    if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) depth -= 1
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)].filter((part) => part.trim() !== '')
}

/** `{tool => "name", args => { --query "delivery" }}` */
function arrowCalls(text: string, tools: ReaderTools): WrittenCall[] {
  const name = /tool\s*=>\s*["']([\w.-]+)["']/.exec(text)?.[1]
  if (name === undefined) return []
  const pairs = [...text.matchAll(/--(\w+)\s+(?:"((?:[^"\\]|\\.)*)"|(\S+))/g)].map(
    ([, key = '', quoted, plain]) => [key, quoted ?? plain ?? ''] as const,
  )
  return [asCall(name, typed(Object.fromEntries(pairs), name, tools), tools)]
}

/** Whether arguments have what a tool's schema asks for, as far as names and kinds of values go. */
function fits(args: Record<string, unknown>, schema: Record<string, unknown>): boolean {
  const required = Array.isArray(schema.required) ? schema.required : []
  if (!required.every((key) => typeof key === 'string' && args[key] !== undefined && args[key] !== null)) return false
  const properties = propertiesOf(schema)
  if (schema.additionalProperties === false && Object.keys(args).some((key) => !(key in properties))) return false
  return Object.entries(args).every(([key, value]) => {
    const types = typesOf(properties[key])
    return types.length === 0 || value === null || types.includes(kindOf(value))
  })
}

function propertiesOf(schema: Record<string, unknown>): Record<string, unknown> {
  return isRecord(schema.properties) ? schema.properties : {}
}

function typesOf(property: unknown): string[] {
  if (!isRecord(property)) return []
  const types = [property.type].flat().filter((type) => typeof type === 'string')
  return types.includes('number') || types.includes('integer') ? [...types, 'number', 'integer'] : types
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
