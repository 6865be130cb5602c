// Parameters that an endpoint refuses: which one it means, in the words of many gateways, and the request without it. Decisions only.
import { isTooLong } from '../failures.ts'

type Json = Record<string, unknown>

/** `to`: the parameter's other name, another value, or null where it is left out. */
export type ParameterChange = { parameter: string; to: string | number | null }

/** What may be left out of a request without changing what is asked. */
const OPTIONAL = [
  'temperature',
  'top_p',
  'top_k',
  'parallel_tool_calls',
  'tool_choice',
  'stream_options',
  'reasoning_effort',
  'verbosity',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'user',
  'thinking',
] as const
const LIMITS = ['max_tokens', 'max_completion_tokens'] as const
const REFUSAL =
  /unsupported|not (?:be )?support|n't support|unrecogni[sz]ed|unknown|unexpected|extra (?:inputs|fields)|extra_forbidden|not permitted|not allowed|additional propert|deprecated|cannot find field|invalid|only the default|no endpoints found|requires? --enable|not available|not accept|cannot be (?:used|specified|set)|must be (?:verified|1|omitted|unset)|too large|less than or equal|at most|not valid|property/i
const MOST =
  /(?:at most|less than or equal to|<=|no more than|up to|between \d+ and|in \[\d+,|maximum(?: value)?(?: is| of|:|=)?|>)\s*[`'"]?(\d{2,7})/i
const ALTERNATE = /roles? must alternate|alternat\w+ (?:between )?user/i
const NO_SYSTEM =
  /system role (?:is )?not supported|only (?:the )?user and assistant roles|(?:support|accept)\w* only user/i
const ROLE =
  /messages?(?:\[\d+\]|\.\d+)?\.role|(?:system|developer)['"`]? ?(?:role|message|instruction|prompt)|role ['"`]?(?:system|developer)|['"`](?:system|developer)['"`]/i
const TOOLS = /\btools?\b|tool (?:use|call|choice)|function.?call/i
/** Words for tools by endpoints that know none; not for one that is described or answered wrongly. */
const UNKNOWN =
  /support|require\w* --|enable|unrecogni[sz]ed|unknown|extra|not permitted|not allowed|not available|no endpoints|cannot find field/i
/** Faults on the endpoint's side that another request may not meet. */
const OF_TEMPLATE = /alternat|system role|(?:not|n't|un)[ -]?support|require\w* --/i
const STREAM =
  /verified to stream|stream(?:ing)?['"`]? (?:is |mode )?(?:not|un)|does(?: not|n't) support stream|['"`]stream['"`]/i

/** Whether an answer with this status may be a refusal of what stands in the request. */
export function mayBeRefusal(status: number, answer: string): boolean {
  return status < 500 || OF_TEMPLATE.test(answer)
}

/** The change by which a refused request may be accepted; null: something else is wrong with it. */
export function changeFor(answer: string, sent: Json, made: ParameterChange[]): ParameterChange | null {
  const { message, parameter } = refusalIn(answer)
  if (!REFUSAL.test(message) && parameter === null && !ALTERNATE.test(message)) return null
  return (
    limitChange(message, parameter, sent, made) ??
    roleChange(message, parameter, sent, made) ??
    omission(message, parameter, sent)
  )
}

function limitChange(
  message: string,
  parameter: string | null,
  sent: Json,
  made: ParameterChange[],
): ParameterChange | null {
  const name = LIMITS.find((each) => each in sent)
  if (!name || !(parameter === name || mentions(message, name))) return null
  const most = Number(MOST.exec(message)?.[1] ?? Number.NaN)
  if (isTooLong(message)) return /too large/i.test(message) ? { parameter: name, to: null } : null
  if (most > 0 && typeof sent[name] === 'number' && most < sent[name]) return { parameter: name, to: most }
  const other = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  const wasRenamed = made.some((change) => change.to === name)
  return { parameter: name, to: wasRenamed ? null : other }
}

function roleChange(
  message: string,
  parameter: string | null,
  sent: Json,
  made: ParameterChange[],
): ParameterChange | null {
  const roles = messagesOf(sent).map(({ role }) => role)
  const role = roles.find((each) => each === 'system' || each === 'developer')
  const wasChanged = (to: string) => made.some((change) => change.parameter === 'role' && change.to === to)
  if (ALTERNATE.test(message)) return wasChanged('user') ? null : { parameter: 'role', to: 'user' }
  const isMeant = /\.role$/.test(parameter ?? '') || ROLE.test(message)
  if (!role || !isMeant) return null
  if (NO_SYSTEM.test(message)) return { parameter: 'role', to: 'user' }
  const next = role === 'developer' ? 'system' : 'developer'
  return {
    parameter: 'role',
    to: made.some((change) => change.parameter === 'role') || wasChanged(next) ? 'user' : next,
  }
}

function omission(message: string, parameter: string | null, sent: Json): ParameterChange | null {
  const name =
    OPTIONAL.find((each) => each in sent && each === parameter) ??
    OPTIONAL.find((each) => each in sent && mentions(message, each))
  if (name) return { parameter: name, to: null }
  if ('tool_choice' in sent && /tool.?choice/i.test(message)) return { parameter: 'tool_choice', to: null }
  if ('stream' in sent && (parameter === 'stream' || STREAM.test(message))) return { parameter: 'stream', to: null }
  const meansTools = parameter === 'tools' || TOOLS.test(message)
  return 'tools' in sent && meansTools && UNKNOWN.test(message) ? { parameter: 'tools', to: null } : null
}

function mentions(message: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${name}(?!\\w)`, 'i').test(message)
}

/** The words of a refusal, and the parameter that it names apart from them. */
function refusalIn(answer: string): { message: string; parameter: string | null } {
  const json = parse(answer)
  const error = isRecord(json) && isRecord(json.error) ? json.error : json
  if (!isRecord(error)) return { message: answer.slice(0, 2000), parameter: null }
  const details = [error.detail, error.message, error.details].flat().filter(isRecord)
  const words = [
    error.message,
    error.msg,
    error.detail,
    isRecord(json) ? json.error : null,
    ...details.map(({ msg }) => msg),
  ]
  const places = details.map(({ loc }) => (Array.isArray(loc) ? loc.join(' ') : ''))
  const message = [...words.filter((word) => typeof word === 'string'), ...places].join(' ')
  const named =
    typeof error.param === 'string' && /unsupported|unknown|invalid|not/i.test(`${error.code} ${message}`)
      ? error.param
      : null
  return { message: message || answer.slice(0, 2000), parameter: named }
}

/** A request with changes made to it. */
export function applyChanges(body: Json, changes: ParameterChange[]): Json {
  return changes.reduce(applyChange, body)
}

function applyChange(body: Json, { parameter, to }: ParameterChange): Json {
  if (parameter === 'role') return { ...body, messages: withRole(messagesOf(body), String(to)) }
  if (!(parameter in body)) return body
  const { [parameter]: value, ...rest } = body
  if (typeof to === 'number') return { ...rest, [parameter]: Math.min(to, Number(value)) }
  if (to !== null) return { ...rest, [to]: value }
  if (parameter === 'stream') return without(rest, 'stream_options')
  if (parameter === 'tools')
    return {
      ...without(without(rest, 'tool_choice'), 'parallel_tool_calls'),
      messages: messagesOf(rest).flatMap(inWords),
    }
  return rest
}

function without(body: Json, name: string): Json {
  const { [name]: _, ...rest } = body
  return rest
}

/** As what the rules are given; as the customer's side where no other role is known: then no two in a row. */
function withRole(messages: Json[], role: string): Json[] {
  const isRules = (message: Json) => message.role === 'system' || message.role === 'developer'
  const renamed = messages.map((message) => (isRules(message) ? { ...message, role } : message))
  if (role !== 'user') return renamed
  const merged: Json[] = []
  for (const message of renamed) {
    const last = merged.at(-1)
    const isPlain = [last, message].every((each) => each && !('tool_calls' in each) && each.role !== 'tool')
    if (last && isPlain && last.role === message.role) last.content = `${wordsOf(last)}\n\n${wordsOf(message)}`
    else merged.push({ ...message })
  }
  return merged
}

/** Calls and results as words, for an endpoint that knows no tools. */
function inWords(message: Json): Json[] {
  if (message.role === 'tool') return [{ role: 'user', content: wordsOf(message) }]
  if (!('tool_calls' in message)) return [message]
  const words = wordsOf(message)
  return words === '' ? [] : [{ role: 'assistant', content: words }]
}

function wordsOf({ content }: Json): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

function messagesOf(body: Json): Json[] {
  return Array.isArray(body.messages) ? body.messages.filter(isRecord) : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
