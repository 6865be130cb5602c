// Reads what a model writes while it arrives, and keeps apart what is the answer: without its reasoning, without tool calls in words,
// without control tokens. What may still turn out to be a mark waits until it is known.
import {
  type CalledName,
  type Candidate,
  calledNames,
  heldName,
  readFence,
  readFunction,
  readJson,
} from './call-candidates.rules.ts'
import {
  BARE_CHANNEL,
  BARE_FINAL,
  CALL_FENCE,
  type Found,
  HONEST_LABEL,
  heldFrom,
  LABEL,
  LABELLED_ANSWER,
  MAYBE_CALL_FENCE,
  mayBecomeBare,
  meaningOf,
  nextMark,
  THOUGHT_FENCE,
} from './hidden-forms.rules.ts'
import {
  bracketCloser,
  closerOf,
  FENCE_END,
  goOn,
  isEmptyTag,
  type Span,
  tokenCloser,
  tokenOf,
} from './hidden-spans.rules.ts'
import { balancedEnd } from './loose-json.rules.ts'
import { asCall, callsIn, type ReaderTools, type WrittenCall } from './written-calls.rules.ts'

/** Marks that count inside a fence of code. */
const IN_CODE = new Set(['thoughtTag', 'thoughtBracket', 'fence', 'token'])
const HAS_CONTENT = /[\p{L}\p{N}\p{Extended_Pictographic}$€₽₸%+]/u

/** One step of an answer: add its pieces, then end it. */
export class AnswerReader {
  readonly #tools: ReaderTools
  readonly #names: RegExp
  #raw = ''
  #at = 0
  #text = ''
  #state: 'start' | 'text' | 'label' | Span = 'start'
  #codeFence: string | null = null
  /** Calls in words, each once, in their order, those that cannot be carried out too. */
  readonly calls: WrittenCall[] = []
  /** Whether reasoning was taken out. */
  hasThoughts = false
  /** Whether something was a call in words, even if nothing could be read from it. */
  hasCalls = false
  /** Whether text that had been read as the answer turned out to be reasoning. */
  isTakenBack = false

  constructor(tools: ReaderTools) {
    this.#tools = tools
    this.#names = calledNames(tools)
  }

  /** The answer as far as it is certain. */
  get text(): string {
    return this.#text
  }

  /** Characters that have arrived. */
  get size(): number {
    return this.#raw.length
  }

  add(piece: string): void {
    this.#raw += piece
    this.#read(false)
  }

  /** Nothing more comes: what has waited is decided. */
  end(): void {
    this.#read(true)
    if (!(this.hasCalls || this.hasThoughts)) return
    this.#text = withoutFrame(this.#text)
    if (!HAS_CONTENT.test(this.#text)) this.#text = ''
  }

  #read(isOver: boolean): void {
    for (;;) {
      const { at, state } = { at: this.#at, state: this.#state }
      this.#step(isOver)
      if (this.#at === at && this.#state === state) return
    }
  }

  #step(isOver: boolean): void {
    const state = this.#state
    if (state === 'start') this.#begin(isOver)
    else if (state === 'text') this.#readText(isOver)
    else if (state === 'label') {
      if (isOver) this.#readLabelled()
    } else {
      const { at, next, call } = goOn(this.#raw, this.#at, state, isOver)
      if (call !== undefined) this.#closeCall(call, state)
      this.#at = at
      this.#state = next === null ? 'text' : next.kind === 'thought' && isSame(state, next) ? state : next
      if (next?.kind === 'channel') this.hasThoughts = true
    }
  }

  #begin(isOver: boolean): void {
    if (BARE_CHANNEL.test(this.#raw)) this.#hide({ kind: 'channel', until: new RegExp(BARE_FINAL, 'gu') })
    else if (LABEL.test(this.#raw) || HONEST_LABEL.test(this.#raw)) this.#state = 'label'
    else if (isOver || !mayBecomeBare(this.#raw)) this.#state = 'text'
  }

  #hide(span: Span): void {
    this.hasThoughts = true
    this.#state = span
  }

  #show(end: number): void {
    const piece = this.#raw.slice(this.#at, end)
    this.#text += this.#text === '' ? piece.trimStart() : piece
    this.#at = Math.max(this.#at, end)
  }

  #readText(isOver: boolean): void {
    const mark = nextMark(this.#raw, this.#at, (kind) => this.#codeFence === null || IN_CODE.has(kind))
    const name = this.#nextName()
    if (name && (!mark || name.index < mark.index)) {
      this.#takeCandidate(name.index, readFunction(this.#raw, name, this.#tools, isOver))
    } else if (mark) {
      if (!this.#isMention(mark, isOver)) this.#take(mark, isOver)
    } else {
      const end = isOver ? this.#raw.length : heldFrom(this.#raw, this.#at)
      this.#show(isOver ? end : Math.min(end, heldName(this.#raw, this.#at, this.#tools)))
    }
  }

  #take(mark: Found, isOver: boolean): void {
    switch (mark.kind) {
      case 'thoughtTag':
      case 'thoughtBracket':
        this.#takeThoughtTag(mark)
        break
      case 'callTag':
        this.#openCall(mark, closerOf(mark.text), { from: mark.index })
        break
      case 'callBracket':
        this.#openCall(mark, bracketCloser(mark.text))
        break
      case 'detailsTag':
      case 'resultTag':
        this.#openHidden(mark, closerOf(mark.text))
        break
      case 'resultBracket':
        this.#openHidden(mark, /\[\/TOOL_RESULTS?\]/giu)
        break
      case 'callCloser':
        this.#skip(mark)
        break
      case 'token':
        this.#takeToken(mark)
        break
      case 'fence':
        this.#takeFence(mark, isOver)
        break
      case 'json':
        this.#takeCandidate(mark.index, readJson(this.#raw, mark, this.#tools, isOver))
        break
      case 'action':
        this.#openCall(mark, null, { toolName: mark.groups[0] ?? null })
        break
      default:
        mark.kind satisfies never
    }
  }

  /** A mark that stands by itself between backticks is spoken of. @returns whether it is, or has to wait */
  #isMention(mark: Found, isOver: boolean): boolean {
    if (mark.kind === 'fence' || this.#codeFence !== null || this.#raw.charAt(mark.index - 1) !== '`') return false
    const isLast = mark.end >= this.#raw.length
    if (isLast ? isOver : this.#raw.charAt(mark.end) !== '`') return false
    this.#show(isLast ? mark.index : mark.end + 1)
    return true
  }

  #skip(mark: Found): void {
    this.#show(mark.index)
    this.#at = mark.end
  }

  #takeThoughtTag(mark: Found): void {
    if (mark.groups.includes('/') && !isEmptyTag(mark)) {
      this.#takeBack(mark)
      return
    }
    this.#skip(mark)
    if (!isEmptyTag(mark)) this.#hide({ kind: 'thought', depth: 1 })
  }

  /** Reasoning whose opening mark stood in the prompt: all before its end is reasoning. */
  #takeBack(mark: Found): void {
    this.#show(mark.index)
    this.isTakenBack ||= this.#text.trim() !== ''
    this.hasThoughts = true
    this.#text = ''
    this.#codeFence = null
    this.#at = mark.end
  }

  #takeToken(mark: Found): void {
    const token = tokenOf(mark)
    const meaning = meaningOf(token)
    if (meaning === undefined) {
      this.#show(mark.end)
      return
    }
    if (meaning === 'endThought') {
      this.#takeBack(mark)
      return
    }
    if (meaning === 'call') {
      this.#openCall(mark, tokenCloser(token))
      return
    }
    this.#skip(mark)
    if (meaning === 'thought') this.#hide({ kind: 'thought', depth: 1 })
    else if (mark.text === '<|channel>') this.#hide({ kind: 'channel', until: /<channel\|>/giu })
    else if (meaning === 'role') this.#state = { kind: 'header', from: mark.index, role: token }
    else if (meaning === 'header') this.#state = { kind: 'header', from: mark.index, role: '' }
  }

  #openHidden(mark: Found, until: RegExp | null): void {
    this.#skip(mark)
    this.#hide({ kind: 'block', from: mark.end, until, holds: 'thought', toolName: null })
  }

  #openCall(mark: Found, until: RegExp | null, { from = mark.end, toolName = null as string | null } = {}): void {
    this.#skip(mark)
    this.hasCalls = true
    this.#state = { kind: 'block', from, until, holds: 'call', toolName }
  }

  #closeCall(content: string, span: Span): void {
    const toolName = span.kind === 'block' ? span.toolName : null
    this.#record(toolName === null ? callsIn(content, this.#tools) : [asCall(toolName, bodyOf(content), this.#tools)])
  }

  #takeFence(mark: Found, isOver: boolean): void {
    const [fence = '', info = ''] = mark.groups
    const label = info.trim()
    if (!mark.text.endsWith('\n') && !isOver) this.#show(mark.index)
    else if (this.#codeFence !== null) {
      if (label === '' && fence.startsWith(this.#codeFence)) this.#codeFence = null
      this.#show(mark.end)
    } else if (THOUGHT_FENCE.test(label)) this.#openHidden(mark, new RegExp(FENCE_END))
    else if (CALL_FENCE.test(label)) this.#openCall(mark, new RegExp(FENCE_END))
    else this.#takeCode(mark, { fence, label, isOver })
  }

  #takeCode(mark: Found, { fence, label, isOver }: { fence: string; label: string; isOver: boolean }): void {
    this.#show(mark.index)
    const facts = { isOver, isFirst: this.#text.trim() === '' }
    const text: Candidate = { kind: 'text', end: mark.end }
    const read = MAYBE_CALL_FENCE.test(label) ? readFence(this.#raw, mark, this.#tools, facts) : text
    if (read.kind === 'text') this.#codeFence = fence.slice(0, 3)
    this.#takeCandidate(mark.index, read)
  }

  #takeCandidate(index: number, candidate: Candidate): void {
    this.#show(index)
    if (candidate.kind === 'wait') return
    if (candidate.kind === 'text') {
      this.#show(candidate.end)
      return
    }
    this.#record(candidate.calls)
    this.#at = candidate.end
  }

  #record(calls: WrittenCall[]): void {
    this.hasCalls = true
    for (const call of calls) {
      const isKnown = this.calls.some(({ toolName, input }) => toolName === call.toolName && input === call.input)
      if (!isKnown) this.calls.push(call)
    }
  }

  /** A tool's name with brackets behind it, as a program calls it. */
  #nextName(): CalledName | null {
    if (this.#codeFence !== null) return null
    this.#names.lastIndex = this.#at
    const match = this.#names.exec(this.#raw)
    return match && { index: match.index, end: match.index + match[0].length, name: match[1] ?? match[2] ?? '' }
  }

  /** Reasoning under a label: the answer, or a call, stands under another one. */
  #readLabelled(): void {
    const from = this.#at
    const rest = this.#raw.slice(from)
    const answer = LABELLED_ANSWER.exec(rest)
    const action = nextMark(rest, 0, (kind) => kind === 'action')
    if (!answer && !action && HONEST_LABEL.test(rest)) {
      this.#state = 'text'
      return
    }
    this.#hide({ kind: 'rest' })
    this.#at = this.#raw.length
    if (action && (!answer || action.index < answer.index)) {
      this.#record([asCall(action.groups[0] ?? '', bodyOf(rest.slice(action.end)), this.#tools)])
    } else if (answer) {
      this.#at = from + answer.index + answer[0].length
      this.#state = 'text'
    }
  }
}

/** An answer that is whole, read at once. `tools`: those it may have called. */
export function readAnswer(text: string, tools: ReaderTools = []): AnswerReader {
  const reader = new AnswerReader(tools)
  reader.add(text)
  reader.end()
  return reader
}

/** What of an agent's earlier message was meant for others; an earlier version may have stored it as it came. */
export function spokenPart(text: string): string {
  return readAnswer(text).text
}

function isSame(state: Span, next: Span): boolean {
  return state.kind === 'thought' && next.kind === 'thought' && state.depth === next.depth
}

/** The JSON in a text; all of it where there is none. */
function bodyOf(content: string): string {
  const start = content.indexOf('{')
  const end = start < 0 ? null : balancedEnd(content, start)
  return end === null ? content.trim() : content.slice(start, end)
}

/** The answer without a frame of its own, as models trained to reason may set it. */
function withoutFrame(text: string): string {
  const frame = /^\s*<(answer|final_answer|final|response|output|solution)>([\s\S]*?)(?:<\/\1>\s*)?$/iu
  return text.replace(frame, '$2').trimStart()
}
