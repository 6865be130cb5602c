// Parameters that gateways refuse, in their words: changed once, remembered and noted.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatRequest } from '#tests/fakes/openai/openai.request.ts'
import { ANSWER, type Gateway, type Refusing, refusal, startGateway, when } from '#tests/model-answers/gateway.ts'
import { createParameterMemory } from './adaptive-fetch.ts'

const has = (name: keyof ChatRequest) => (request: ChatRequest) => request[name] !== undefined
const system = (role: string) => (request: ChatRequest) => request.messages[0]?.role === role

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.fake.close())

describe('a parameter that is refused', () => {
  it.each<[string, Refusing[], { parameter: string; to: string | null }[]]>([
    [
      'OpenAI and Azure: the limit',
      [
        when(
          has('max_tokens'),
          refusal(
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
          refusal('Unrecognized request argument supplied: max_tokens, max_completion_tokens'),
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
          refusal(
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
          refusal(
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
          refusal(
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
      [when(has('tools'), refusal('registry.ollama.ai/library/gemma:2b does not support tools'))],
      [{ parameter: 'tools', to: null }],
    ],
    [
      'OpenRouter: tools',
      [when(has('tools'), refusal('No endpoints found that support tool use.'), 404)],
      [{ parameter: 'tools', to: null }],
    ],
    [
      'o1: the role of the rules',
      [
        when(
          system('system'),
          refusal(
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
          refusal(
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
          refusal('Your organization must be verified to stream this model.', 'stream', 'unsupported_value'),
        ),
      ],
      [{ parameter: 'stream', to: null }],
    ],
    [
      'three at once',
      [
        when(has('temperature'), refusal('temperature is not supported')),
        when(has('stream_options'), refusal('stream_options is not supported')),
        when(has('max_tokens'), refusal('Unknown parameter: max_tokens')),
      ],
      [
        { parameter: 'temperature', to: null },
        { parameter: 'stream_options', to: null },
        { parameter: 'max_tokens', to: 'max_completion_tokens' },
      ],
    ],
  ])('(%s) is changed once, remembered and noted', async (_, rules, changes) => {
    gateway.refuse(...rules)
    expect(await gateway.ask()).toBe(ANSWER)
    expect(gateway.notes()).toEqual(changes.map((change) => ({ code: 'parameter', ...change })))
    const asked = gateway.fake.requests.length
    expect(asked).toBe(changes.length + 1)
    expect(await gateway.ask()).toBe(ANSWER)
    expect(gateway.fake.requests).toHaveLength(asked + 1)
    expect(gateway.notes()).toEqual(changes.map((change) => ({ code: 'parameter', ...change })))
  })

  it('is remembered for its model alone', async () => {
    gateway.refuse(
      when(
        ({ model, temperature }) => model === 'strict' && temperature !== undefined,
        refusal("'temperature' is not supported with this model.", 'temperature'),
      ),
    )
    await gateway.ask({ model: 'openai/strict' })
    await gateway.ask({ model: 'openai/mild' })
    expect(gateway.fake.requests.map(({ temperature }) => temperature)).toEqual([0.3, undefined, 0.3])
  })

  it('is not remembered when the request fails all the same', async () => {
    gateway.refuse(when(() => true, refusal("'temperature' is not supported with this model.", 'temperature')))
    expect(await gateway.ask()).toBe('failed: refused')
    gateway.refuse()
    await gateway.ask()
    expect(gateway.fake.requests.at(-1)?.temperature).toBe(0.3)
  })

  it.each([
    ['a wrong key', refusal('Incorrect API key provided.'), 401, 'invalid_key', 1],
    ['a model that does not exist', refusal('The model `gpt-x` does not exist.'), 404, 'refused', 1],
    ['a refusal without a reason', refusal('Bad request'), 400, 'refused', 1],
  ])('is not seen in %s', async (_, body, status, reason, count) => {
    gateway.refuse(when(() => true, body, status))
    expect(await gateway.ask()).toBe(`failed: ${reason}`)
    expect(gateway.fake.requests).toHaveLength(count)
  })

  it.each(['openai/gpt-5-mini', 'openai/o4-mini', 'openai/gpt-5.1', 'openai/openai/gpt-5-mini'])(
    'of the old limit is never sent to %s',
    async (model) => {
      gateway.fake.reply(({ max_tokens: limit }) =>
        limit === undefined ? { text: ANSWER } : { refusal: { status: 400, body: refusal('no', 'max_tokens') } },
      )
      expect(await gateway.ask({ model })).toBe(ANSWER)
      expect(gateway.fake.requests.map(({ max_completion_tokens: limit }) => limit)).toEqual([8192])
      expect(gateway.notes()).toEqual([])
    },
  )

  it('leaves the conversation with its calls as words where tools are refused later', async () => {
    gateway.fake.reply((request, index) => {
      if (index === 0) return { toolCalls: [{ name: 'search_knowledge', arguments: '{"query":"a"}' }] }
      return request.tools
        ? { refusal: { status: 400, body: refusal('This model does not support tools') } }
        : { text: ANSWER }
    })
    expect(await gateway.ask()).toBe(ANSWER)
    expect(JSON.stringify(gateway.fake.requests.at(-1)?.messages)).toContain('found')
  })

  it('is forgotten when many others came after it', () => {
    const memory = createParameterMemory(2)
    for (const key of ['a', 'b']) memory.set(key, [{ parameter: 'temperature', to: null }])
    memory.get('a')
    memory.set('c', [])
    expect(['a', 'b', 'c'].map((key) => memory.get(key).length)).toEqual([1, 0, 0])
  })
})
