// What gateways do to a chat API: other shapes of the same answer, streams without an end, refused parameters, conversations too long.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '#server/lib/logger.ts'
import { appErrorData } from '#shared/errors.ts'
import type { ChatRequest } from '#tests/fakes/openai.request.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai.ts'
import { createLlm } from '../create.ts'
import type { GenerateRequest, Llm, ModelCall, Tool } from '../llm.ts'
import { createParameterMemory } from './adaptive-fetch.ts'

const LIMITS = { firstTokenMs: 20_000, totalMs: 40_000, maxRetryDelayMs: 700 }
const nobody = { apiKey: undefined, baseUrl: undefined }
const ANSWER = 'Delivery is free in Almaty.'
const ran: unknown[] = []
const search: Tool = {
  name: 'search_knowledge',
  description: 'Searches.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  run: async (args) => {
    ran.push(args)
    return { found: 'free' }
  },
}

let fake: FakeOpenAi
let llm: Llm
let calls: ModelCall[]

beforeEach(async () => {
  fake = await startFakeOpenAi({ reply: () => ({ text: ANSWER }) })
  llm = createLlm(
    { openai: { apiKey: 'sk-test', baseUrl: fake.url }, anthropic: nobody, google: nobody },
    createLogger('silent'),
    LIMITS,
  )
  calls = []
  ran.length = 0
})
afterEach(() => fake.close())

function ask(overrides: Partial<GenerateRequest> = {}): Promise<string> {
  const request: GenerateRequest = {
    model: 'openai/gpt-4.1-mini',
    temperature: 0.3,
    system: 'You are the assistant of a shop.',
    messages: [{ role: 'user', text: 'Is delivery free?' }],
    passages: [],
    isWeakEvidence: false,
    tools: [search],
    signal: new AbortController().signal,
    onCall: (call) => calls.push(call),
    ...overrides,
  }
  return llm.generate(request).then(
    ({ text }) => text,
    (error: unknown) => `failed: ${appErrorData(error)?.params.reason}`,
  )
}

const notes = () => calls.at(-1)?.notes ?? []
const event = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`
const delta = (piece: object, finish: string | null = null) =>
  event({ id: '1', choices: [{ index: 0, delta: piece, finish_reason: finish }] })
const whole = (message: object, finish = 'stop') =>
  JSON.stringify({ id: '1', choices: [{ index: 0, message, finish_reason: finish }] })
const DONE = 'data: [DONE]\n\n'
const SAID = delta({ role: 'assistant', content: 'Delivery is free ' }) + delta({ content: 'in Almaty.' })

describe('an answer in another shape', () => {
  it.each([
    ['reasoning in a field of DeepSeek', delta({ reasoning_content: 'A secret.' }) + SAID + delta({}, 'stop') + DONE],
    [
      'reasoning in a field of OpenRouter',
      delta({ reasoning: 'A secret.', reasoning_details: [{ type: 'reasoning.text', text: 'A secret.' }] }) +
        SAID +
        delta({}, 'stop') +
        DONE,
    ],
    ['reasoning in a field of Ollama', delta({ content: '', thinking: 'A secret.' }) + SAID + delta({}, 'stop') + DONE],
    [
      'reasoning as an object',
      delta({ reasoning: { text: 'A secret.' }, content: '' }) + SAID + delta({}, 'stop') + DONE,
    ],
    [
      'parts of Mistral',
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'A secret.' }] }] }) +
        delta({ content: [{ type: 'text', text: ANSWER }] }, 'stop') +
        DONE,
    ],
    [
      'parts with reasoning as text',
      delta(
        {
          content: [
            { type: 'reasoning', text: 'A secret.' },
            { type: 'output_text', text: ANSWER },
          ],
        },
        'stop',
      ) + DONE,
    ],
    [
      'parts with a mark of thought',
      delta({ content: [{ text: 'A secret.', thought: true }, { text: ANSWER }] }, 'stop') + DONE,
    ],
    ['a part alone', delta({ content: { type: 'text', text: ANSWER } }, 'stop') + DONE],
    [
      'a message in a stream',
      event({ choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }] }) + DONE,
    ],
    ['another role', delta({ role: 'model', content: ANSWER }, 'stop') + DONE],
    ['a comment before it', `: OPENROUTER PROCESSING\n\n${SAID}${delta({}, 'stop')}${DONE}`],
    [
      'a filter of Azure before it',
      event({ choices: [], prompt_filter_results: [] }) + SAID + delta({}, 'stop') + DONE,
    ],
    [
      'tokens in a chunk of their own',
      SAID + delta({}, 'stop') + event({ usage: { prompt_tokens: 10, completion_tokens: 5 } }) + DONE,
    ],
    ['an empty finish in each chunk', delta({ content: ANSWER }, '') + delta({}, '') + DONE],
    ['a finish of Google', SAID + delta({}, 'STOP') + DONE],
    ['lines without a space', SAID.replaceAll('data: ', 'data:') + delta({}, 'stop') + DONE],
    ['carriage returns', (SAID + delta({}, 'stop') + DONE).replaceAll('\n', '\r\n')],
    [
      'a whole answer although a stream was asked for',
      whole({ role: 'assistant', content: ANSWER, reasoning_content: 'A secret.' }),
    ],
  ])('(%s) is understood', async (name, raw) => {
    fake.reply(() => (name.startsWith('a whole') ? { text: ANSWER, isPlain: true } : { raw }))
    expect(await ask()).toBe(ANSWER)
  })

  it.each([
    [
      'the older field, as GigaChat has it',
      delta({ function_call: { name: 'search_knowledge', arguments: { query: 'a' } } }, 'function_call') + DONE,
    ],
    [
      'arguments as an object',
      delta(
        { tool_calls: [{ index: 0, id: '1', function: { name: 'search_knowledge', arguments: { query: 'a' } } }] },
        'tool_calls',
      ) + DONE,
    ],
    [
      'no id and no index',
      delta({ tool_calls: [{ function: { name: 'search_knowledge', arguments: '{"query":"a"}' } }] }, 'tool_calls') +
        DONE,
    ],
    [
      'a call without a function',
      delta({ tool_calls: [{ name: 'search_knowledge', arguments: { query: 'a' } }] }, 'tool_calls') + DONE,
    ],
    [
      'a call and no finish',
      delta({
        tool_calls: [{ index: 0, id: '1', function: { name: 'search_knowledge', arguments: '{"query":"a"}' } }],
      }) + DONE,
    ],
  ])('with a call (%s) is understood', async (_, raw) => {
    fake.reply((__, index) => (index === 0 ? { raw } : { text: ANSWER }))
    expect(await ask()).toBe(ANSWER)
    expect(ran).toEqual([{ query: 'a' }])
  })

  it.each([
    ['max_tokens', 'continued'],
    ['MAX_TOKENS', 'continued'],
    ['model_length', 'continued'],
  ])('cut under another name (%s) is known to be', async (finish, code) => {
    fake.reply((_, index) =>
      index === 0 ? { raw: SAID + delta({ content: ' And' }, finish) + DONE } : { text: 'Always.' },
    )
    expect(await ask()).toBe(`${ANSWER} Always.`)
    expect(notes()).toMatchObject([{ code }])
  })

  it.each(['SAFETY', 'blacklist', 'PROHIBITED_CONTENT'])(
    'withheld under another name (%s) is withheld',
    async (finish) => {
      fake.reply(() => ({ raw: delta({ content: 'I' }, finish) + DONE }))
      expect(await ask()).toBe('failed: filtered')
    },
  )
})

describe('a stream without an end', () => {
  it.each([
    ['an end mark but no finish', SAID + DONE],
    ['neither', SAID],
    ['neither, and no last line break', SAID.trimEnd()],
    [
      'a finish that is empty',
      delta({ content: ANSWER }) + event({ choices: [{ index: 0, delta: {}, finish_reason: null }] }),
    ],
  ])('(%s) is an answer all the same, and noted', async (_, raw) => {
    fake.reply(() => ({ raw }))
    expect(await ask()).toBe(ANSWER)
    expect(notes()).toEqual([{ code: 'unfinished' }])
    expect(fake.requests).toHaveLength(1)
  })

  it('that breaks off is tried again, and counts up to its last whole sentence if it breaks off again', async () => {
    fake.reply(() => ({ failure: 'truncated', text: `${ANSWER} In Astana it` }))
    expect(await ask()).toBe(ANSWER)
    expect(notes()).toEqual([{ code: 'broken_off' }])
    expect(fake.requests).toHaveLength(2)
  })

  it('that breaks off before a whole sentence is none', async () => {
    fake.reply(() => ({ failure: 'truncated', text: 'Delivery is' }))
    expect(await ask()).toBe('failed: bad_answer')
  })

  it('that ends with an error is none', async () => {
    fake.reply(() => ({ raw: SAID + event({ error: 'the model runner has stopped' }) }))
    expect(await ask()).toBe('failed: unavailable')
  })
})

type Refusing = (request: ChatRequest) => { status: number; body: unknown } | null
const error = (message: string, param: string | null = null, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
})
const has = (name: keyof ChatRequest) => (request: ChatRequest) => request[name] !== undefined
const when =
  (meets: (request: ChatRequest) => boolean, body: unknown, status = 400): Refusing =>
  (request) =>
    meets(request) ? { status, body } : null
const system = (role: string) => (request: ChatRequest) => request.messages[0]?.role === role

function refuse(...rules: Refusing[]): void {
  fake.reply((request) => {
    const refusal = rules.map((rule) => rule(request)).find((each) => each !== null)
    return refusal ? { refusal } : { text: ANSWER }
  })
}

describe('a parameter that is refused', () => {
  it.each<[string, Refusing[], { parameter: string; to: string | null }[]]>([
    [
      'OpenAI and Azure: the limit',
      [
        when(
          has('max_tokens'),
          error(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            'max_tokens',
            'unsupported_parameter',
          ),
        ),
      ],
      [{ parameter: 'max_tokens', to: 'max_completion_tokens' }],
    ],
    [
      'both limits',
      [
        when(
          (request) => has('max_tokens')(request) || has('max_completion_tokens')(request),
          error('Unrecognized request argument supplied: max_tokens, max_completion_tokens'),
        ),
      ],
      [
        { parameter: 'max_tokens', to: 'max_completion_tokens' },
        { parameter: 'max_completion_tokens', to: null },
      ],
    ],
    [
      'a limit that is too high',
      [
        when(
          ({ max_tokens: limit = 0 }) => limit > 1024,
          error(
            'max_tokens is too large: 2048. This model supports at most 1024 completion tokens.',
            'max_tokens',
            'invalid_value',
          ),
        ),
      ],
      [{ parameter: 'max_tokens', to: '1024' }],
    ],
    [
      'vLLM: a limit beyond the window',
      [
        when(has('max_tokens'), {
          object: 'error',
          message:
            "'max_tokens' or 'max_completion_tokens' is too large: 2048. This model's maximum context length is 2000 tokens and your request has 300 input tokens.",
          type: 'BadRequestError',
          code: 400,
        }),
      ],
      [{ parameter: 'max_tokens', to: null }],
    ],
    [
      'OpenAI: the temperature',
      [
        when(
          has('temperature'),
          error(
            "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
            'temperature',
            'unsupported_value',
          ),
        ),
      ],
      [{ parameter: 'temperature', to: null }],
    ],
    [
      'Anthropic: the temperature',
      [
        when(has('temperature'), {
          type: 'error',
          error: { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' },
        }),
      ],
      [{ parameter: 'temperature', to: null }],
    ],
    [
      'LiteLLM: the temperature',
      [
        when(
          has('temperature'),
          error(
            "litellm.UnsupportedParamsError: gpt-5 models don't support temperature=0.3. Only temperature=1 is supported.",
          ),
        ),
      ],
      [{ parameter: 'temperature', to: null }],
    ],
    [
      'Mistral: options of the stream',
      [
        when(
          has('stream_options'),
          {
            object: 'Error',
            message: {
              detail: [
                { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
              ],
            },
            detail: [
              { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
            ],
          },
          422,
        ),
      ],
      [{ parameter: 'stream_options', to: null }],
    ],
    [
      'FastAPI: options of the stream',
      [
        when(
          has('stream_options'),
          {
            detail: [
              { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
            ],
          },
          422,
        ),
      ],
      [{ parameter: 'stream_options', to: null }],
    ],
    [
      'Google: the choice of tools',
      [
        when(has('tool_choice'), [
          {
            error: {
              code: 400,
              message: 'Invalid JSON payload received. Unknown name "tool_choice": Cannot find field.',
              status: 'INVALID_ARGUMENT',
            },
          },
        ]),
      ],
      [{ parameter: 'tool_choice', to: null }],
    ],
    [
      'vLLM: tools',
      [
        when(has('tools'), {
          object: 'error',
          message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
          type: 'BadRequestError',
          code: 400,
        }),
      ],
      [
        { parameter: 'tool_choice', to: null },
        { parameter: 'tools', to: null },
      ],
    ],
    [
      'Ollama: tools',
      [when(has('tools'), error('registry.ollama.ai/library/gemma:2b does not support tools'))],
      [{ parameter: 'tools', to: null }],
    ],
    [
      'OpenRouter: tools',
      [when(has('tools'), error('No endpoints found that support tool use.'), 404)],
      [{ parameter: 'tools', to: null }],
    ],
    [
      'o1: the role of the rules',
      [
        when(
          system('system'),
          error(
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            'messages[0].role',
            'unsupported_value',
          ),
        ),
      ],
      [{ parameter: 'role', to: 'developer' }],
    ],
    [
      'o1-mini: any role of rules',
      [
        when(
          (request) => system('system')(request) || system('developer')(request),
          error(
            "Unsupported value: 'messages[0].role' does not support this role with this model.",
            'messages[0].role',
            'unsupported_value',
          ),
        ),
      ],
      [
        { parameter: 'role', to: 'developer' },
        { parameter: 'role', to: 'user' },
      ],
    ],
    [
      'Gemma: the role of the rules',
      [when(system('system'), { object: 'error', message: 'System role not supported', code: 400 })],
      [{ parameter: 'role', to: 'user' }],
    ],
    [
      'llama.cpp: two in a row',
      [
        when(
          (request) =>
            request.messages.some(({ role }, at) => role !== 'assistant' && request.messages[at + 1]?.role === role) ||
            system('system')(request),
          {
            error: {
              code: 500,
              message: 'Conversation roles must alternate user/assistant/user/assistant/...',
              type: 'server_error',
            },
          },
          500,
        ),
      ],
      [{ parameter: 'role', to: 'user' }],
    ],
    [
      'OpenAI: streams without a verified organization',
      [
        when(
          ({ stream }) => stream,
          error('Your organization must be verified to stream this model.', 'stream', 'unsupported_value'),
        ),
      ],
      [{ parameter: 'stream', to: null }],
    ],
    [
      'three at once',
      [
        when(has('temperature'), error('temperature is not supported')),
        when(has('stream_options'), error('stream_options is not supported')),
        when(has('max_tokens'), error('Unknown parameter: max_tokens')),
      ],
      [
        { parameter: 'temperature', to: null },
        { parameter: 'stream_options', to: null },
        { parameter: 'max_tokens', to: 'max_completion_tokens' },
      ],
    ],
  ])('(%s) is changed once, remembered and noted', async (_, rules, changes) => {
    refuse(...rules)
    expect(await ask()).toBe(ANSWER)
    expect(notes()).toEqual(changes.map((change) => ({ code: 'parameter', ...change })))
    const asked = fake.requests.length
    expect(asked).toBe(changes.length + 1)
    expect(await ask()).toBe(ANSWER)
    expect(fake.requests).toHaveLength(asked + 1)
    expect(notes()).toEqual(changes.map((change) => ({ code: 'parameter', ...change })))
  })

  it('is remembered for its model alone', async () => {
    refuse(
      when(
        ({ model, temperature }) => model === 'strict' && temperature !== undefined,
        error("'temperature' is not supported with this model.", 'temperature'),
      ),
    )
    await ask({ model: 'openai/strict' })
    await ask({ model: 'openai/mild' })
    expect(fake.requests.map(({ temperature }) => temperature)).toEqual([0.3, undefined, 0.3])
  })

  it('is not remembered when the request fails all the same', async () => {
    refuse(when(() => true, error("'temperature' is not supported with this model.", 'temperature')))
    expect(await ask()).toBe('failed: refused')
    refuse()
    await ask()
    expect(fake.requests.at(-1)?.temperature).toBe(0.3)
  })

  it.each([
    ['a wrong key', error('Incorrect API key provided.'), 401, 'invalid_key', 1],
    ['a model that does not exist', error('The model `gpt-x` does not exist.'), 404, 'refused', 1],
    ['a refusal without a reason', error('Bad request'), 400, 'refused', 1],
  ])('is not seen in %s', async (_, body, status, reason, count) => {
    refuse(when(() => true, body, status))
    expect(await ask()).toBe(`failed: ${reason}`)
    expect(fake.requests).toHaveLength(count)
  })

  it.each(['openai/gpt-5-mini', 'openai/o4-mini', 'openai/gpt-5.1', 'openai/openai/gpt-5-mini'])(
    'of the old limit is never sent to %s',
    async (model) => {
      fake.reply(({ max_tokens: limit }) =>
        limit === undefined ? { text: ANSWER } : { refusal: { status: 400, body: error('no', 'max_tokens') } },
      )
      expect(await ask({ model })).toBe(ANSWER)
      expect(fake.requests.map(({ max_completion_tokens: limit }) => limit)).toEqual([8192])
      expect(notes()).toEqual([])
    },
  )

  it('leaves the conversation with its calls as words where tools are refused later', async () => {
    fake.reply((request, index) => {
      if (index === 0) return { toolCalls: [{ name: 'search_knowledge', arguments: '{"query":"a"}' }] }
      return request.tools
        ? { refusal: { status: 400, body: error('This model does not support tools') } }
        : { text: ANSWER }
    })
    expect(await ask()).toBe(ANSWER)
    expect(JSON.stringify(fake.requests.at(-1)?.messages)).toContain('found')
  })

  it('is forgotten when many others came after it', () => {
    const memory = createParameterMemory(2)
    for (const key of ['a', 'b']) memory.set(key, [{ parameter: 'temperature', to: null }])
    memory.get('a')
    memory.set('c', [])
    expect(['a', 'b', 'c'].map((key) => memory.get(key).length)).toEqual([1, 0, 0])
  })
})

describe('a conversation that is too long', () => {
  const messages = Array.from({ length: 16 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: `Message ${at}`,
  })).slice(0, 15)

  it.each([
    [
      'OpenAI',
      400,
      error(
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
    ['Groq', 413, error('Request too large for model')],
    ['DashScope', 400, error('Range of input length should be [1, 30720]')],
    ['a Russian gateway', 400, error('Превышено максимальное количество токенов в запросе')],
    [
      'TGI',
      422,
      {
        error:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens',
        error_type: 'validation',
      },
    ],
  ])('(%s) is sent with its newer half', async (name, status, body) => {
    refuse(when((request) => request.messages.length > 9, body, status))
    if (name === 'TGI') return expect(await ask({ messages })).toMatch(/failed/)
    expect(await ask({ messages })).toBe(ANSWER)
    expect(notes()).toEqual([{ code: 'halved' }])
    const last = fake.requests.at(-1)?.messages.map(({ content }) => content)
    expect(last?.at(-1)).toBe('Message 14')
    expect(last).not.toContain('Message 0')
  })

  it('said in the middle of a stream is too', async () => {
    fake.reply((request) =>
      request.messages.length > 9
        ? { raw: `event: error\n${event({ error: { message: 'Context size has been exceeded.' } })}` }
        : { text: ANSWER },
    )
    expect(await ask({ messages })).toBe(ANSWER)
  })

  it('even without anything before the question fails, and says so', async () => {
    refuse(when(() => true, error('maximum context length is 10 tokens', null, 'context_length_exceeded')))
    expect(await ask({ messages })).toBe('failed: too_long')
    expect(fake.requests.length).toBeLessThanOrEqual(6)
  })
})
