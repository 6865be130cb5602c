// Endpoints that answer a request for a stream with one whole JSON answer, as some gateways and local servers do: made into the
// stream that was asked for.
import { z } from 'zod'
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'

/** Characters of an answer that is read to its end; a longer one is no chat answer. */
const ANSWER_MAX = 16 * MESSAGE_TEXT_MAX

const wholeAnswer = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: z.looseObject({ tool_calls: z.array(z.looseObject({})).nullish() }),
    }),
  ),
})

/** The response itself, unless it is a whole answer: then one whose body is a stream of events with the same content. */
export function streamPlainAnswer(response: Response): Response {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !response.body || !/^application\/json\b/i.test(type)) return response
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(collect())
    .pipeThrough(new TextEncoderStream())
  return new Response(body, { status: response.status, headers: { 'content-type': 'text/event-stream' } })
}

/** Gathers the body and gives it out as events when it has ended. */
function collect(): TransformStream<string, string> {
  let text = ''
  return new TransformStream({
    transform(piece) {
      text += piece
      if (text.length > ANSWER_MAX) throw new SyntaxError('The answer is longer than any chat answer.')
    },
    flush: (controller) => controller.enqueue(toEvents(text)),
  })
}

/** What is not an answer goes on as it is, so that the client names what is wrong with it. */
function toEvents(text: string): string {
  return `data: ${toChunk(text) ?? text.replace(/\s*\n\s*/g, ' ')}\n\ndata: [DONE]\n\n`
}

function toChunk(text: string): string | undefined {
  const parsed = wholeAnswer.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const choices = parsed.data.choices.map(({ message, ...choice }) => {
    const calls = message.tool_calls?.map((call, index) => ({ ...call, index }))
    return { ...choice, delta: { ...message, ...(calls && { tool_calls: calls }) } }
  })
  return JSON.stringify({ ...parsed.data, object: 'chat.completion.chunk', choices })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
