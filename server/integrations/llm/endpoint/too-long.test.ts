// Conversations that are longer than the model can read, in the words of gateways: sent again with less.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ANSWER, event, type Gateway, refusal, startGateway, when } from '#tests/model-answers/gateway.ts'

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.fake.close())

describe('a conversation that is too long', () => {
  const messages = Array.from({ length: 16 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: `Message ${at}`,
  })).slice(0, 15)

  it.each([
    [
      'OpenAI',
      400,
      refusal(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        'messages',
        'context_length_exceeded',
      ),
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (2952 in the messages, 2048 in the completion).",
        code: 400,
      },
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message:
            'the request exceeds the available context size. try increasing the context size or enable context shift',
          type: 'exceed_context_size_error',
          n_ctx: 8192,
        },
      },
    ],
    [
      'llama.cpp of before',
      500,
      { error: { code: 500, message: 'the request exceeds the available context size', type: 'server_error' } },
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 11149 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.',
      },
    ],
    [
      'Anthropic',
      400,
      { error: { type: 'invalid_request_error', message: 'prompt is too long: 250000 tokens > 200000 maximum' } },
    ],
    [
      'Google',
      400,
      { error: { message: 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).' } },
    ],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
    ],
    ['Groq', 413, refusal('Request too large for model')],
    ['DashScope', 400, refusal('Range of input length should be [1, 30720]')],
    ['a Russian gateway', 400, refusal('Превышено максимальное количество токенов в запросе')],
    [
      'TGI',
      422,
      {
        error:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens',
        error_type: 'validation',
      },
    ],
  ])('(%s) is sent with its newer half', async (_, status, body) => {
    gateway.refuse(when((request) => request.messages.length > 9, body, status))
    expect(await gateway.ask({ messages })).toBe(ANSWER)
    expect(gateway.notes()).toEqual([{ code: 'halved' }])
    const last = gateway.fake.requests.at(-1)?.messages.map(({ content }) => content)
    expect(last?.at(-1)).toBe('Message 14')
    expect(last).not.toContain('Message 0')
  })

  it('that is refused in the middle of a stream is too', async () => {
    gateway.fake.reply((request) =>
      request.messages.length > 9
        ? { raw: `event: error\n${event({ error: { message: 'Context size has been exceeded.' } })}` }
        : { text: ANSWER },
    )
    expect(await gateway.ask({ messages })).toBe(ANSWER)
  })

  it('even without anything before the question fails, and says so', async () => {
    gateway.refuse(when(() => true, refusal('maximum context length is 10 tokens', null, 'context_length_exceeded')))
    expect(await gateway.ask({ messages })).toBe('failed: too_long')
    expect(gateway.fake.requests.length).toBeLessThanOrEqual(6)
  })
})
