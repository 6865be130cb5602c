// What a customer gets of what models and gateways send, over the real client: streamed in small pieces and as one whole answer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '#server/platform/lib/logger.ts'
import { appErrorData } from '#shared/errors.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { CALLS, KNOWN_TOOLS } from '#tests/model-answers/calls.ts'
import { HONEST } from '#tests/model-answers/honest.ts'
import { THOUGHTS } from '#tests/model-answers/thoughts.ts'
import { createLlm } from './create.ts'
import type { GenerateRequest, Generation, Llm, ModelCall } from './llm.ts'

const LIMITS = { firstTokenMs: 20_000, totalMs: 40_000, maxRetryDelayMs: 700 }
const unused = { apiKey: undefined, baseUrl: undefined }
const SECRETS = /Purchase price|не говорить|"arguments"|launch_rocket|<\|/
const NEXT = 'Delivery is free.'

let fake: FakeOpenAi
let llm: Llm

beforeEach(async () => {
  fake = await startFakeOpenAi()
  llm = createLlm(
    { openai: { apiKey: 'sk-test', baseUrl: fake.url }, anthropic: unused, google: unused },
    createLogger('silent'),
    LIMITS,
  )
})
afterEach(() => fake.close())

/** One reply after another; the last one stays. */
function replies(...list: FakeReply[]): void {
  fake.reply((_, index) => list[Math.min(index, list.length - 1)] ?? {})
}

type Asked = {
  answer: Generation | null
  reason: unknown
  views: string[]
  shown: string
  ran: unknown[]
  calls: ModelCall[]
}

/** Asks, and notes all that can be seen meanwhile. */
async function ask(overrides: Partial<GenerateRequest> = {}): Promise<Asked> {
  const asked: Asked = { answer: null, reason: null, views: [], shown: '', ran: [], calls: [] }
  const show = (text: string) => {
    asked.shown = text
    asked.views.push(text)
  }
  const tools = KNOWN_TOOLS.map((tool) => ({
    ...tool,
    description: 'A tool.',
    run: async (args: unknown) => {
      asked.ran.push([tool.name, args])
      return { found: 'free' }
    },
  }))
  const request: GenerateRequest = {
    model: 'openai/gpt-4.1-mini',
    temperature: 0.3,
    system: 'You are the assistant of a shop.',
    messages: [{ role: 'user', text: 'What does it cost?' }],
    passages: [],
    isWeakEvidence: false,
    tools,
    signal: new AbortController().signal,
    onText: (delta) => show(asked.shown + delta),
    onTakeBack: () => show(''),
    onCall: (call) => asked.calls.push(call),
    ...overrides,
  }
  await llm.generate(request).then(
    (answer) => {
      asked.answer = answer
    },
    (error: unknown) => {
      asked.reason = appErrorData(error)?.params.reason
    },
  )
  return asked
}

const codes = ({ calls }: Asked) => calls[0]?.notes?.map(({ code }) => code) ?? []
const inPieces = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
const WAYS = [
  ['in pieces', (text: string): FakeReply => ({ text, pieces: inPieces(text, 3) })],
  ['whole', (text: string): FakeReply => ({ text, isPlain: true })],
] as const

describe.each(WAYS)('an answer that is sent %s', (way, send) => {
  it.each(THOUGHTS)('with reasoning ($name) is what stands outside of it', async ({ sent, text, isOpen }) => {
    replies(send(sent))
    const asked = await ask()
    if (text === '') expect(asked).toMatchObject({ answer: null, reason: 'empty' })
    else expect(asked.answer?.text).toBe(text)
    if (text !== '') expect(asked.shown).toBe(text)
    if (!isOpen) expect(asked.views.filter((view) => SECRETS.test(view))).toEqual([])
  })

  it.each(CALLS)('with a tool call in words ($name) shows none of it', async ({ sent, text, calls }) => {
    replies(send(sent), { text: NEXT })
    const asked = await ask()
    const unique = [...new Set(calls.map((call) => JSON.stringify(call)))].map((call) => JSON.parse(call))
    expect(asked.ran).toEqual(unique)
    const isWhole = unique.length === 0 && text !== '' && fake.requests.length === 1
    expect(asked.answer?.text).toBe(isWhole || text === NEXT ? text : text === '' ? NEXT : `${text}\n\n${NEXT}`)
    expect(asked.views.filter((view) => SECRETS.test(view))).toEqual([])
  })

  it.each(HONEST)(`that is honest (%s) comes ${way} as it is`, async (_, text) => {
    replies(send(text))
    const asked = await ask()
    expect(asked.answer?.text).toBe(text)
    expect(asked.shown).toBe(text)
    expect(codes(asked)).toEqual([])
  })
})

describe('reasoning whose beginning stands in the prompt', () => {
  const sent = 'They want the price. Purchase price is 300, do not tell.\n</think>\n\nThe kettle costs 4990.'

  it('is never shown where a model is not known, which then streams no more before it has ended', async () => {
    replies({ text: sent })
    for (const _ of [1, 2]) {
      const asked = await ask({ model: 'openai/qwen3-8b' })
      expect(asked.answer?.text).toBe('The kettle costs 4990.')
      expect(asked.views.filter((view) => /price\.|Purchase/.test(view))).toEqual([])
    }
  })

  it('is never shown when it begins as models begin to talk to themselves, whichever they are', async () => {
    replies({ text: `Okay, the user wants the price. ${sent}` })
    expect((await ask()).views.filter((view) => /user|Purchase/.test(view))).toEqual([])
  })

  it('is taken back where it was shown', async () => {
    replies({ text: sent })
    const asked = await ask()
    expect(asked.shown).toBe('The kettle costs 4990.')
    expect(codes(asked)).toEqual(['thoughts'])
  })

  it('does not keep an unknown model from streaming once it has answered without', async () => {
    replies({ text: 'Delivery takes two days within the city.' })
    const first = await ask({ model: 'openai/qwen3-8b' })
    const second = await ask({ model: 'openai/qwen3-8b' })
    expect([first.views.length, second.views.length > 1]).toEqual([1, true])
  })
})

describe('reasoning of before', () => {
  it('is not sent back to a model with the conversation', async () => {
    replies({ text: NEXT })
    await ask({
      messages: [
        { role: 'user', text: 'Hello <think>' },
        { role: 'assistant', text: '<think>Purchase price is 300.</think>Hi!' },
        { role: 'user', text: 'What does it cost?' },
        { role: 'assistant', text: '<think>Purchase price is 300' },
        { role: 'user', text: 'Well?' },
      ],
    })
    expect(fake.requests[0]?.messages.slice(1).map(({ content }) => content)).toEqual([
      'Hello <think>',
      'Hi!',
      'What does it cost?',
      'Well?',
    ])
  })

  it('is not sent back with the words before a tool call', async () => {
    replies(
      {
        text: '<think>secret</think>Let me look.',
        toolCalls: [{ name: 'search_knowledge', arguments: '{"query":"a"}' }],
      },
      { text: NEXT },
    )
    expect((await ask()).answer?.text).toBe(`Let me look.\n\n${NEXT}`)
    expect(JSON.stringify(fake.requests[1]?.messages)).not.toContain('secret')
  })
})

describe('an empty answer', () => {
  it('is asked for once more, in other words', async () => {
    replies({ text: '<think>Nothing to say.</think>' }, { text: NEXT })
    const asked = await ask()
    expect(asked.answer?.text).toBe(NEXT)
    expect(codes(asked)).toEqual(['thoughts', 'asked_again'])
    const [first, second] = fake.requests.map(({ messages }) => messages)
    expect(second?.length).toBeGreaterThan(first?.length ?? 0)
  })

  it('is one when it comes twice', async () => {
    replies({ text: ' ' })
    expect(await ask()).toMatchObject({ answer: null, reason: 'empty' })
    expect(fake.requests).toHaveLength(2)
  })

  it('whose reasoning has taken all the room gets more of it', async () => {
    replies({ text: '<think>And on and on', finishReason: 'length' }, { text: NEXT })
    await ask()
    const [first, second] = fake.requests.map(({ max_tokens: limit }) => limit ?? 0)
    expect(second).toBe(2 * (first ?? 0))
  })

  it('that was an unreadable call is asked for without tools', async () => {
    replies({ text: '<tool_call>{"name":"launch_rocket","arguments":{}}</tool_call>' }, { text: NEXT })
    expect(codes(await ask())).toEqual(['unreadable_call', 'asked_again'])
    expect(fake.requests.map(({ tool_choice: choice }) => choice)).toEqual(['auto', 'none'])
  })
})

describe('a tool call in words', () => {
  it('is carried out like another one, with its result in the fence', async () => {
    replies({ text: '<tool_call>{"name":"search_knowledge","arguments":{"query":"a"}}</tool_call>' }, { text: NEXT })
    expect(codes(await ask())).toEqual(['written_call'])
    const [, , call, result] = fake.requests[1]?.messages ?? []
    expect(call).toMatchObject({
      role: 'assistant',
      tool_calls: [{ function: { name: 'search_knowledge', arguments: '{"query":"a"}' } }],
    })
    expect(result?.content).toMatch(/^([0-9a-f]{24})\n\{"found":"free"\}\n\1$/)
  })

  it('is not carried out where no tools were given', async () => {
    replies({ text: '<tool_call>{"name":"search_knowledge","arguments":{"query":"a"}}</tool_call>' }, { text: NEXT })
    expect((await ask({ tools: [], purpose: 'task' })).answer?.text).toBe(NEXT)
  })

  it('without end stops like another one', async () => {
    replies({ text: '{"name":"search_knowledge","arguments":{"query":"a"}}' })
    expect(await ask()).toMatchObject({ answer: null, reason: expect.stringMatching(/bad_answer|empty/) })
    expect(fake.requests.length).toBeLessThanOrEqual(7)
  })
})

describe('an answer that is cut by its length', () => {
  const CUT = 'Delivery in Almaty is free, but for Astana it costs'

  it('is continued behind its last whole sentence', async () => {
    replies(
      { text: 'It is free in Almaty. For Astana it', finishReason: 'length' },
      { text: 'For Astana it costs 500.' },
    )
    const asked = await ask()
    expect(asked.answer?.text).toBe('It is free in Almaty. For Astana it costs 500.')
    expect(codes(asked)).toEqual(['continued'])
    expect(fake.requests[1]?.messages.at(-2)).toMatchObject({ role: 'assistant', content: 'It is free in Almaty.' })
  })

  it('before its first whole sentence is asked for again, shorter', async () => {
    replies({ text: CUT, finishReason: 'length' }, { text: NEXT })
    expect((await ask()).answer?.text).toBe(NEXT)
  })

  it('twice ends with its last whole sentence', async () => {
    replies({ text: `It is free in Almaty. ${CUT}`, finishReason: 'length' })
    const asked = await ask()
    expect(asked.answer?.text).toBe('It is free in Almaty.')
    expect(codes(asked)).toEqual(['continued', 'cut'])
  })

  it('twice before a whole sentence is none', async () => {
    replies({ text: CUT, finishReason: 'length' })
    expect(await ask()).toMatchObject({ answer: null, reason: 'cut' })
    expect(fake.requests).toHaveLength(2)
  })

  it('ends with its last whole sentence when the rest cannot be had', async () => {
    replies({ text: `It is free in Almaty. ${CUT}`, finishReason: 'length' }, { failure: 'status_401' })
    expect((await ask()).answer?.text).toBe('It is free in Almaty.')
  })
})

describe('marks of passages', () => {
  const passages = ['Delivery is free in Almaty.', 'Kettles cost 4990.'].map((text, at) => ({
    id: `c${at + 1}`,
    source: 'a.pdf',
    page: 1,
    text,
    score: 1,
  }))

  it('are taken out, also of what is shown meanwhile, and become sources', async () => {
    replies({
      text: 'It is free [1], and the price is known【2†source】.',
      pieces: inPieces('It is free [1], and the price is known【2†source】.', 2),
    })
    const asked = await ask({ passages })
    expect(asked.answer).toMatchObject({
      text: 'It is free, and the price is known.',
      usedPassageIds: expect.arrayContaining(['c1', 'c2']),
    })
    expect(asked.views.filter((view) => /[[【\]】]/.test(view))).toEqual([])
    expect(codes(asked)).toEqual(['marks'])
  })

  it('alone are no answer', async () => {
    replies({ text: '【1†source】' })
    expect(await ask({ passages })).toMatchObject({ reason: 'empty' })
  })
})
