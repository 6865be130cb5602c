// One chunk of an answer as OpenAI sends it, out of what other makers send: content in parts, calls in older or looser shapes, errors
// in words. Decisions only.

type Json = Record<string, unknown>

/** The finish of an answer whose endpoint has named none. */
export const UNFINISHED = 'unfinished'
/** The finish of an answer whose connection was lost. */
export const BROKEN_OFF = 'broken_off'

const UNUSUAL = new RegExp(
  [
    /"(?:function_call|message|error)"\s*:/,
    /"(?:reasoning|reasoning_content|arguments|refusal)"\s*:\s*[[{]/,
    /"content"\s*:\s*[[{]/,
    /"role"\s*:\s*"(?!assistant"|")/,
    /"finish_reason"\s*:\s*"(?!stop"|length"|tool_calls"|content_filter")[^"]/,
    /"object"\s*:\s*"error"/,
    /"name"\s*:\s*"[^"]*"\s*,\s*"arguments"/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Whether a chunk has to be looked into; most have not. */
export function isUnusual(json: string): boolean {
  return UNUSUAL.test(json) || !json.includes('"choices"')
}

/** The chunk as the client understands it; undefined when it is none of an answer. */
export function normalChunk(value: unknown): Json | undefined {
  if (!isRecord(value)) return undefined
  const { choices, ...rest } = value
  if (!Array.isArray(choices)) {
    const error = errorOf(value)
    if (error) return { error }
    return isRecord(value.usage) ? { ...rest, choices: [] } : undefined
  }
  if (isRecord(value.error)) return { error: errorOf(value) }
  return { ...rest, choices: choices.map(normalChoice) }
}

function normalChoice(choice: unknown): unknown {
  if (!isRecord(choice)) return choice
  const { message, delta, text, finish_reason: finish, ...rest } = choice
  const given = isRecord(delta) ? delta : isRecord(message) ? message : { content: text }
  return { ...rest, delta: normalDelta(given), finish_reason: finishOf(finish) }
}

/** Content and calls. Reasoning is left out: nothing reads it. */
function normalDelta(delta: Json): Json {
  const calls = callsOf(delta)
  return {
    content: textOf(delta.content),
    ...(typeof delta.refusal === 'string' && { refusal: delta.refusal }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** The text of a content in whatever shape; null: there is none. Parts that hold reasoning are no text. */
export function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) {
    const texts = content.map(textOf).filter((text) => text !== null)
    return texts.length > 0 ? texts.join('') : null
  }
  if (!isRecord(content) || content.thought === true) return null
  if (/think|reason|thought|tool|image|audio/i.test(typeof content.type === 'string' ? content.type : '')) return null
  const { text } = content
  if (isRecord(text)) return typeof text.value === 'string' ? text.value : null
  return typeof text === 'string' ? text : textOf(content.content ?? null)
}

function callsOf(delta: Json): Json[] {
  const listed = Array.isArray(delta.tool_calls) ? delta.tool_calls : []
  const older = isRecord(delta.function_call) ? [{ function: delta.function_call }] : []
  return [...listed, ...older].filter(isRecord).map((call, index) => {
    const { name, arguments: args } = isRecord(call.function) ? call.function : call
    return {
      index: typeof call.index === 'number' ? call.index : index,
      ...(typeof call.id === 'string' && call.id !== '' ? { id: call.id } : { id: `call_${index}` }),
      type: 'function',
      function: {
        ...(typeof name === 'string' && { name }),
        arguments: argumentsOf(args),
      },
      ...(isRecord(call.extra_content) && { extra_content: call.extra_content }),
    }
  })
}

/** As text. A piece without any adds nothing to those that come. */
function argumentsOf(args: unknown): string {
  if (typeof args === 'string') return args
  return args === undefined || args === null ? '' : JSON.stringify(args)
}

/** The names of others for the ways in which an answer ends. */
function finishOf(finish: unknown): string | null {
  if (typeof finish !== 'string' || finish === '') return null
  if (/max|length|token_limit/i.test(finish)) return 'length'
  if (/safety|filter|blacklist|prohibited|recitation|blocked|refusal/i.test(finish)) return 'content_filter'
  if (/tool|function/i.test(finish)) return 'tool_calls'
  return /^(?:stop|end|eos|complete|finish)/i.test(finish) ? 'stop' : finish
}

function errorOf(value: Json): { message: string; type?: string; code?: string | number } | undefined {
  const { error } = value
  if (typeof error === 'string') return { message: error }
  const given = isRecord(error) ? error : value.object === 'error' ? value : undefined
  if (!given) return undefined
  const { message, type, code } = given
  return {
    message: typeof message === 'string' ? message : JSON.stringify(given).slice(0, 2000),
    ...(typeof type === 'string' && { type }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
