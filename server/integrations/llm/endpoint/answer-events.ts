// Answers of OpenAI-compatible endpoints made into the stream that was asked for: whole answers, shapes of other makers, and streams that
// end without saying so.
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import { BROKEN_OFF, isUnusual, normalChunk, UNFINISHED } from './answer-chunk.rules.ts'

/** Characters of an answer that is read to its end; a longer one is no chat answer. */
const ANSWER_MAX = 16 * MESSAGE_TEXT_MAX

/** The response with a body of events that the client understands; one that is neither JSON nor events stays as it is. */
export function asAnswerEvents(response: Response): Response {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !response.body) return response
  const isWhole = /^application\/(?:[\w.+-]*\+)?json\b/i.test(type)
  if (!isWhole && !/^text\/event-stream\b/i.test(type)) return response
  const body = isWhole
    ? response.body.pipeThrough(new TextDecoderStream()).pipeThrough(collect()).pipeThrough(new TextEncoderStream())
    : eventsOf(response.body)
  const headers = new Headers(response.headers)
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  headers.set('content-type', 'text/event-stream')
  return new Response(body, { status: response.status, headers })
}

/** Gathers the body and gives it out as events when it has ended. */
function collect(): TransformStream<string, string> {
  let text = ''
  return new TransformStream({
    transform(piece) {
      text += piece
      assertChatSized(text)
    },
    flush(controller) {
      const isStream = /^\s*(?:data|event|:)/.test(text)
      const lines = new EventLines()
      const whole = isStream ? text : `data: ${toChunk(text) ?? text.replace(/\s*\n\s*/g, ' ')}\n\ndata: [DONE]\n\n`
      controller.enqueue(lines.take(whole) + lines.end())
    },
  })
}

/** What is not an answer goes on as it is, so that the client names what is wrong with it. */
function toChunk(text: string): string | undefined {
  const chunk = normalChunk(parseJson(text))
  return chunk && JSON.stringify({ ...chunk, object: 'chat.completion.chunk' })
}

/** An answer that has begun is not lost with the connection: its stream ends, and says how. */
function eventsOf(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const lines = new EventLines()
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(encoder.encode(lines.take(decoder.decode(value, { stream: true }))))
        controller.enqueue(encoder.encode(lines.take(decoder.decode()) + lines.end()))
      } catch (error) {
        if (!lines.hasAnswer || error instanceof SyntaxError) throw error
        controller.enqueue(encoder.encode(lines.end(BROKEN_OFF)))
      }
      controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** The lines of a stream of events, each made what the client understands. */
class EventLines {
  #open = ''
  #hasFinish = false
  /** Whether a piece of an answer has come. */
  hasAnswer = false

  take(piece: string): string {
    const lines = (this.#open + piece).split('\n')
    this.#open = lines.pop() ?? ''
    assertChatSized(this.#open)
    return lines.map((line) => `${this.#read(line)}\n`).join('')
  }

  /** A stream may end in the middle of its last line, and without an end mark. */
  end(how = UNFINISHED): string {
    const last = this.#open.trim() === '' || how === BROKEN_OFF ? '' : `${this.#read(this.#open)}\n\n`
    this.#open = ''
    return `${last}${this.#finish(how)}`
  }

  #read(line: string): string {
    const data = /^data:\s*(.*?)\s*$/s.exec(line)?.[1]
    if (data === undefined) return line
    if (data === '[DONE]') return `${this.#finish()}${line}`
    this.#hasFinish ||= /"finish_reason"\s*:\s*"[^"]/.test(data)
    this.hasAnswer ||= /"(?:content|tool_calls|function_call|text)"\s*:\s*(?!null|""|\[\]|\{\})/.test(data)
    if (!isUnusual(data)) return line
    const chunk = normalChunk(parseJson(data))
    return chunk ? `data: ${JSON.stringify(chunk)}` : line
  }

  /** An answer without a finish is one all the same, and named so. */
  #finish(how = UNFINISHED): string {
    if (this.#hasFinish || !this.hasAnswer) return ''
    this.#hasFinish = true
    return `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: how }] })}\n\n`
  }
}

function assertChatSized(text: string): void {
  if (text.length > ANSWER_MAX) throw new SyntaxError('The answer is longer than any chat answer.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
