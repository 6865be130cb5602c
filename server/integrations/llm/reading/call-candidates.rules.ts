// What looks like a tool call without a mark of its own: JSON, a fence with JSON in it, a function with its brackets. Decisions only.
import type { Found } from './hidden-forms.rules.ts'
import { balancedEnd, parseLoosely } from './loose-json.rules.ts'
import {
  asCall,
  callsIn,
  isCallShaped,
  type ReaderTools,
  readBrackets,
  type WrittenCall,
} from './written-calls.rules.ts'

/** `wait`: what follows decides. `end`: up to where it is text, or a call. */
export type Candidate =
  | { kind: 'wait' }
  | { kind: 'text'; end: number }
  | { kind: 'call'; end: number; calls: WrittenCall[] }

/** Characters of a function's arguments that are waited for. */
const ARGUMENTS_MAX = 4000
const FENCE_END = /(?:^|\n)[ \t]*(?:```+|~~~+)[ \t]*(?=\n|$)/gu
const CUT_CALL = /^[{[][\s{["']*(?:name|function|tool|tool_name|recipient_name|tool_calls)["']\s*:\s*["'{[]/iu

/** JSON that begins at a mark. */
export function readJson(raw: string, mark: Found, tools: ReaderTools, isOver: boolean): Candidate {
  const end = balancedEnd(raw, mark.index)
  const content = raw.slice(mark.index, end ?? undefined)
  if (end === null) {
    if (!isOver) return { kind: 'wait' }
    const isCutCall =
      CUT_CALL.test(content) && (namesTool(content, tools) || /"(?:arguments|parameters)"\s*:/.test(content))
    return isCutCall ? { kind: 'call', end: raw.length, calls: [] } : { kind: 'text', end: mark.end }
  }
  const value = parseLoosely(content)
  const isCall = value !== undefined && isCallShaped(value, tools)
  return isCall ? { kind: 'call', end, calls: callsIn(content, tools) } : { kind: 'text', end }
}

/** A fence of code that begins at a mark: a call when a call is all that stands in it. `isFirst`: no text stands before it. */
export function readFence(
  raw: string,
  mark: Found,
  tools: ReaderTools,
  { isOver, isFirst }: { isOver: boolean; isFirst: boolean },
): Candidate {
  FENCE_END.lastIndex = Math.max(mark.end - 1, 0)
  const close = FENCE_END.exec(raw)
  const content = raw.slice(mark.end, close?.index)
  const text: Candidate = { kind: 'text', end: mark.end }
  const isEmpty = content.trim() === ''
  if (!isEmpty && !mayBeCall(content, tools)) return text
  if (!close && !isOver) return { kind: 'wait' }
  if (isEmpty) return text
  const end = close ? close.index + close[0].length : raw.length
  const value = parseLoosely(content)
  const isShaped = value !== undefined && isCallShaped(value, tools)
  const calls = value === undefined || isShaped ? callsIn(content, tools) : []
  const isKnown = calls.some(({ toolName }) => tools.some(({ name }) => name === toolName))
  const isAll = isFirst && raw.slice(end).trim() === ''
  return isKnown || (isShaped && isAll) ? { kind: 'call', end, calls } : text
}

function mayBeCall(content: string, tools: ReaderTools): boolean {
  return (
    /^\s*(?:[{[<]|print\(|await )/u.test(content) ||
    namesTool(content.slice(0, 200), tools) ||
    content.trim().length < 20
  )
}

function namesTool(text: string, tools: ReaderTools): boolean {
  return tools.some(({ name }) => text.includes(name))
}

/** A tool's name with a bracket behind it. */
export type CalledName = { index: number; end: number; name: string }

/** Finds names of tools with a bracket behind them; those behind `functions.` whatever they are. */
export function calledNames(tools: ReaderTools): RegExp {
  const names = tools.map(({ name }) => escaped(name)).join('|') || '(?!)'
  return new RegExp(
    `(?<![\\w.$/-])(?:print\\()?(?:(?:functions|default_api|tools|api)\\.)?(${names})\\s?[({]|(?<![\\w.])functions\\.([\\w-]+)\\s?[({]`,
    'gu',
  )
}

/** A function with its brackets, which begins at a name. */
export function readFunction(raw: string, { end, name }: CalledName, tools: ReaderTools, isOver: boolean): Candidate {
  const brackets = raw.slice(end - 1)
  const read = readBrackets(brackets)
  if (read) {
    const isCall = name.includes('_') || Object.keys(Object(read.args)).length > 0
    const after = end - 1 + read.end
    return isCall ? { kind: 'call', end: after, calls: [asCall(name, read.args, tools)] } : { kind: 'text', end }
  }
  const isOpen = balancedEnd(brackets, 0) === null
  if (isOpen && !isOver && brackets.length < ARGUMENTS_MAX) return { kind: 'wait' }
  const isCut = isOpen && /^[({]\s*["'{\w]+\s*[:=]/u.test(brackets)
  return isCut ? { kind: 'call', end: raw.length, calls: [] } : { kind: 'text', end }
}

/** From where on the last word of a text may become the name of a tool that is called; the text's length when it cannot. */
export function heldName(raw: string, from: number, tools: ReaderTools): number {
  const tail = /(?<!\w)(?:print\()?[\w.]+\s?\(?$/u.exec(raw.slice(Math.max(from, raw.length - 80)))
  if (!tail) return raw.length
  if (/^(?:print\()?functions\./.test(tail[0])) return raw.length - tail[0].length
  const word = tail[0]
    .replace(/^print\(/, '')
    .replace(/^(?:functions|default_api|tools|api)\./, '')
    .replace(/\s?\(?$/u, '')
  const starts = ['functions.', 'default_api.', 'print', ...tools.map(({ name }) => name)]
  return word === '' || starts.some((start) => start.startsWith(word)) ? raw.length - tail[0].length : raw.length
}

/** A text as a pattern that finds it. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
