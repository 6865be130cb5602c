// A strict stand-in for the three APIs that look at pictures: OpenAI's chat completions, Anthropic's messages and Google's
// generateContent. Checks that a real JPEG came, says `script` of every picture, and fails on demand.
import sharp from 'sharp'
import { z } from 'zod'
import { listenOnLoopback } from '#tests/loopback.ts'
import { failed, type MediaFault } from './speech.ts'

export type LookRequest = {
  provider: 'openai' | 'anthropic' | 'google'
  model: string
  instruction: string
  maxTokens: number
  /** Pixels. */
  width: number
  height: number
}
/** `filtered`: the provider declines. `uncounted`: it does not say how many tokens it took. */
export type VisionFault = MediaFault | 'filtered' | 'uncounted'

export type FakeVision = Awaited<ReturnType<typeof startFakeVision>>

export const VISION_KEY = 'test-key'
const TOKENS = { input: 1000, output: 100 }

const openAiRequest = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  messages: z.tuple([
    z.strictObject({
      role: z.literal('user'),
      content: z.tuple([
        z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
        z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: z.string() }) }),
      ]),
    }),
  ]),
})
const anthropicRequest = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  messages: z.tuple([
    z.strictObject({
      role: z.literal('user'),
      content: z.tuple([
        z.strictObject({
          type: z.literal('image'),
          source: z.strictObject({ type: z.literal('base64'), media_type: z.literal('image/jpeg'), data: z.string() }),
        }),
        z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
      ]),
    }),
  ]),
})
const googleRequest = z.strictObject({
  contents: z.tuple([
    z.strictObject({
      role: z.literal('user'),
      parts: z.tuple([
        z.strictObject({ inlineData: z.strictObject({ mimeType: z.literal('image/jpeg'), data: z.string() }) }),
        z.strictObject({ text: z.string().min(1) }),
      ]),
    }),
  ]),
  generationConfig: z.strictObject({
    maxOutputTokens: z.int().positive(),
    thinkingConfig: z.strictObject({ thinkingBudget: z.literal(0) }),
  }),
})

/** Starts the fake on a free port. */
export async function startFakeVision() {
  const state = {
    /** What every picture shows. */
    script: 'a red dress',
    seen: [] as LookRequest[],
    /** How the next calls fail, one each. */
    faults: [] as VisionFault[],
    /** Calls in all, failed ones included. */
    calls: 0,
  }
  const server = await listenOnLoopback(async (request) => {
    state.calls++
    const fault = state.faults.shift()
    if (fault && fault !== 'filtered' && fault !== 'uncounted') return failed(fault)
    return answer(state, request, fault)
  })
  return Object.assign(state, { url: server.url, close: server.close })
}

type State = Omit<FakeVision, 'url' | 'close'>

async function answer(state: State, request: Request, fault?: 'filtered' | 'uncounted'): Promise<Response> {
  const { pathname } = new URL(request.url)
  const isFiltered = fault === 'filtered'
  const isCounted = fault !== 'uncounted'
  if (pathname === '/chat/completions') {
    if (request.headers.get('authorization') !== `Bearer ${VISION_KEY}`) return refused(401, 'Incorrect API key')
    const parsed = openAiRequest.safeParse(await request.json())
    if (!parsed.success) return refused(400, z.prettifyError(parsed.error))
    const [text, picture] = parsed.data.messages[0].content
    const data = /^data:image\/jpeg;base64,(.+)$/.exec(picture.image_url.url)?.[1] ?? ''
    const { model, max_tokens: maxTokens } = parsed.data
    await remember(state, { provider: 'openai', model, instruction: text.text, maxTokens }, data)
    const message = { role: 'assistant', content: isFiltered ? null : state.script }
    const usage = { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output }
    const finish = isFiltered ? 'content_filter' : 'stop'
    return Response.json({ choices: [{ index: 0, message, finish_reason: finish }], ...(isCounted && { usage }) })
  }
  if (pathname === '/messages') {
    if (request.headers.get('x-api-key') !== VISION_KEY) return refused(401, 'invalid x-api-key')
    if (request.headers.get('anthropic-version') !== '2023-06-01') return refused(400, 'anthropic-version is required')
    const parsed = anthropicRequest.safeParse(await request.json())
    if (!parsed.success) return refused(400, z.prettifyError(parsed.error))
    const [picture, text] = parsed.data.messages[0].content
    const { model, max_tokens: maxTokens } = parsed.data
    await remember(state, { provider: 'anthropic', model, instruction: text.text, maxTokens }, picture.source.data)
    const usage = { input_tokens: TOKENS.input, output_tokens: TOKENS.output }
    const content = isFiltered ? [] : [{ type: 'text', text: state.script }]
    return Response.json({ content, stop_reason: isFiltered ? 'refusal' : 'end_turn', ...(isCounted && { usage }) })
  }
  const model = /^\/models\/([\w.-]+):generateContent$/.exec(pathname)?.[1]
  if (!model) return refused(404, `Unknown request URL: ${pathname}`)
  if (request.headers.get('x-goog-api-key') !== VISION_KEY) return refused(403, 'API key not valid')
  const parsed = googleRequest.safeParse(await request.json())
  if (!parsed.success) return refused(400, z.prettifyError(parsed.error))
  const [picture, text] = parsed.data.contents[0].parts
  const { maxOutputTokens: maxTokens } = parsed.data.generationConfig
  await remember(state, { provider: 'google', model, instruction: text.text, maxTokens }, picture.inlineData.data)
  if (isFiltered) return Response.json({ promptFeedback: { blockReason: 'SAFETY' } })
  const usageMetadata = { promptTokenCount: TOKENS.input, candidatesTokenCount: TOKENS.output }
  const candidate = { content: { role: 'model', parts: [{ text: state.script }] }, finishReason: 'STOP' }
  return Response.json({ candidates: [candidate], ...(isCounted && { usageMetadata }) })
}

/** Checks that a picture was sent. @throws for anything that is not a JPEG */
async function remember(state: State, request: Omit<LookRequest, 'width' | 'height'>, base64: string): Promise<void> {
  const { format, width, height } = await sharp(Buffer.from(base64, 'base64')).metadata()
  if (format !== 'jpeg') throw new Error(`the picture is a ${format}`)
  state.seen.push({ ...request, width, height })
}

function refused(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status })
}
