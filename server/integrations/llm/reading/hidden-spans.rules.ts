// How far what is hidden goes: reasoning, blocks of calls, headers of channels. Decisions only: where a span ends, and what follows it.
import { escaped } from './call-candidates.rules.ts'
import { type Found, heldFrom, meaningOf, nextMark } from './hidden-forms.rules.ts'

/** What the reader is inside of. */
export type Span =
  /** `depth`: openings that are not closed yet. */
  | { kind: 'thought'; depth: number }
  /** Reasoning that ends at a pattern. */
  | { kind: 'channel'; until: RegExp }
  /** `until` null: it goes on to the end. `toolName`: whom it calls, where that stands outside. */
  | { kind: 'block'; from: number; until: RegExp | null; holds: 'call' | 'thought'; toolName: string | null }
  /** Role and channel of a message. */
  | { kind: 'header'; from: number; role: string }
  /** Nothing more is part of the answer. */
  | { kind: 'rest' }

/** Where reading goes on, and inside of what; `next` null: in the text. `call`: the content of a block that has ended. */
export type Step = { at: number; next: Span | null; call?: string }

/** Characters that may stand before the end of a mark that is looked for. */
const OVERLAP = 80
export const FENCE_END = /(?:^|\n)[ \t]*(?:```+|~~~+)[ \t]*(?=\n|$)/gu
const CHANNEL_END = /<\|(?:end|return|call|start|channel)\|>/giu

/** Goes on inside a span with what has arrived. */
export function goOn(raw: string, at: number, span: Span, isOver: boolean): Step {
  switch (span.kind) {
    case 'thought':
      return passThought(raw, at, span, isOver)
    case 'channel':
      return passUntil(raw, at, span, isOver)
    case 'block':
      return passBlock(raw, at, span, isOver)
    case 'header':
      return /^im_start$/i.test(span.role) ? passRole(raw, span, isOver) : passHeader(raw, span)
    case 'rest':
      return { at: raw.length, next: span }
    default:
      span satisfies never
      return { at, next: span }
  }
}

function passThought(raw: string, at: number, span: Span & { kind: 'thought' }, isOver: boolean): Step {
  const mark = nextMark(raw, at, (kind) => kind === 'thoughtTag' || kind === 'thoughtBracket' || kind === 'token')
  if (!mark) return { at: isOver ? raw.length : Math.max(at, heldFrom(raw, at)), next: span }
  const mayBeQuoted = raw.charAt(mark.index - 1) === '`'
  if (mayBeQuoted && mark.end >= raw.length && !isOver) return { at: Math.max(at, mark.index), next: span }
  const isQuoted = mayBeQuoted && raw.charAt(mark.end) === '`'
  const depth = span.depth + (isQuoted ? 0 : depthOf(mark))
  return { at: mark.end, next: depth > 0 ? { kind: 'thought', depth } : null }
}

function passUntil(raw: string, at: number, span: Span & { kind: 'channel' }, isOver: boolean): Step {
  const match = find(span.until, raw, at)
  if (!match) return { at: isOver ? raw.length : Math.max(at, raw.length - OVERLAP), next: span }
  return { at: endOf(match), next: null }
}

function passBlock(raw: string, at: number, span: Span & { kind: 'block' }, isOver: boolean): Step {
  const match = span.until && find(span.until, raw, at)
  if (!match && !isOver) return { at: Math.max(at, raw.length - OVERLAP), next: span }
  const content = raw.slice(span.from, match?.index)
  return { at: match ? endOf(match) : raw.length, next: null, ...(span.holds === 'call' && { call: content }) }
}

/** The position after a match; before it, where it begins another channel. */
function endOf(match: RegExpExecArray): number {
  return /^<\|(?:start|channel)\|>$/i.test(match[0]) ? match.index : match.index + match[0].length
}

function find(pattern: RegExp, raw: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(raw)
}

/** Up to where the message begins. Only what is meant for the customer is text. */
function passHeader(raw: string, span: Span & { kind: 'header' }): Step {
  const rest = raw.slice(span.from)
  const match = /<\|(?:message|end_header_id)\|>/i.exec(rest)
  if (!match) return { at: raw.length, next: span }
  const at = span.from + match.index + match[0].length
  const header = rest.slice(0, match.index)
  const toolName = /to=\s*(?:functions\.)?([\w.-]+)/i.exec(header)?.[1]
  if (toolName)
    return { at, next: { kind: 'block', from: at, until: new RegExp(CHANNEL_END), holds: 'call', toolName } }
  if (/analysis|commentary|thought/i.test(header))
    return { at, next: { kind: 'channel', until: new RegExp(CHANNEL_END) } }
  const isOthers = /<\|(?:start|start_header_id)\|>\s*(?:user|system|developer|tool)/i.test(header)
  return { at, next: isOthers ? { kind: 'rest' } : null }
}

/** `<|im_start|>assistant` begins the answer; another role begins what the model has made up. */
function passRole(raw: string, span: Span & { kind: 'header' }, isOver: boolean): Step {
  const match = /^<[|｜]im_start[|｜]>\s*([a-z]*)([^a-z]|$)/i.exec(raw.slice(span.from))
  if (!match || (match[2] === '' && !isOver)) return { at: raw.length, next: span }
  const role = match[1]?.toLowerCase() ?? ''
  const at = Math.min(raw.length, span.from + match[0].length)
  return { at, next: role === 'assistant' || role === '' ? null : { kind: 'rest' } }
}

function depthOf(mark: Found): number {
  if (mark.kind === 'token') {
    const meaning = meaningOf(tokenOf(mark))
    return meaning === 'endThought' ? -1 : meaning === 'thought' ? 1 : 0
  }
  if (isEmptyTag(mark)) return 0
  return mark.groups.includes('/') ? -1 : 1
}

/** The name inside a control token. */
export function tokenOf(mark: Found): string {
  return mark.groups.find((group) => group !== undefined) ?? ''
}

/** `<think/>` */
export function isEmptyTag(mark: Found): boolean {
  return /\/\s?(?:>|&gt;)$/.test(mark.text)
}

/** What ends the block that a tag has opened: its own closing tag. */
export function closerOf(tag: string): RegExp {
  const name = /(?:<|&lt;)\s?([\w:.-]+)/u.exec(tag)?.[1] ?? ''
  return new RegExp(`(?:<|&lt;)\\/\\s?${escaped(name)}\\s?(?:>|&gt;)`, 'giu')
}

/** What ends the call that a bracket has opened; null: it goes on to the end. */
export function bracketCloser(bracket: string): RegExp | null {
  if (bracket.includes('TOOL_CALL]')) return /\[\/TOOL_CALL\]/giu
  if (/^\[(?:TOOL_CALLS|tool_calls?|FUNCTION_CALLS?)\]/.test(bracket)) return null
  return bracket.startsWith('◁') ? /◁\/tool_calls?▷/giu : /\](?=\s|$)/giu
}

/** What ends the call that a control token has opened; null: it goes on to the end. */
export function tokenCloser(token: string): RegExp | null {
  const name = token.trim()
  if (name.includes('begin')) return new RegExp(`<[|｜]${escaped(name.replace('begin', 'end'))}[|｜]>`, 'giu')
  if (/^start_/i.test(name)) return new RegExp(`<[|｜]${escaped(name.replace(/start/i, 'END'))}[|｜]>`, 'giu')
  if (/^tool_call_start$/i.test(name)) return /<\|tool_call_end\|>/giu
  return /^(?:tool_calls?|function_call)$/i.test(name) ? /<[|｜]?\/?(?:tool_calls?|function_call)[|｜]?>/giu : null
}
