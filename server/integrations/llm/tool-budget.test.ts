// What the tools of one answer may use up, over a fake endpoint: calls of a step, of an answer, of a customer, and characters of results.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '#server/platform/lib/logger.ts'
import { appErrorData } from '#shared/errors.ts'
import { TOOL_CALLS_PER_STEP, TOOL_CALLS_PER_TURN, TOOL_RESULT_MAX, TOOL_RESULTS_MAX } from '#shared/limits.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { createLlm } from './create.ts'
import type { GenerateRequest, Llm } from './llm.ts'
import type { Tool } from './tool.ts'
import { createToolBudget } from './tool-budget.ts'
import { BAD_FORM, ToolRefused } from './tool-refusal.ts'

const LIMITS = { firstTokenMs: 20_000, totalMs: 40_000, maxRetryDelayMs: 700 }
const unset = { apiKey: undefined, baseUrl: undefined }
const calls: unknown[] = []
const search: Tool = {
  name: 'search',
  description: 'Searches the knowledge.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
  async run(args) {
    calls.push(args)
    return { found: 'Two days.' }
  },
}

let fake: FakeOpenAi
let llm: Llm

beforeEach(async () => {
  calls.length = 0
  fake = await startFakeOpenAi()
  const openai = { apiKey: 'sk-test', baseUrl: fake.url }
  llm = createLlm({ openai, anthropic: unset, google: unset }, createLogger('silent'), LIMITS)
})
afterEach(() => fake.close())

/** The replies of the model, one after another; the last one from then on. */
function replies(...script: FakeReply[]): void {
  fake.reply((_request, index) => script[Math.min(index, script.length - 1)] ?? {})
}

function ask(overrides: Partial<GenerateRequest>): GenerateRequest {
  return {
    model: 'openai/gpt-4.1-mini',
    temperature: 0.3,
    system: 'You are the assistant of a flower shop.',
    messages: [{ role: 'user', text: 'How long does delivery take?' }],
    passages: [],
    isWeakEvidence: false,
    tools: [search],
    signal: new AbortController().signal,
    ...overrides,
  }
}

describe('tools', () => {
  it('called without end stop after six calls of the model, for a reason that is not transient', async () => {
    replies({ toolCalls: [{ name: 'search', arguments: '{}' }] })
    const error = await llm.generate(ask({})).catch((reason: unknown) => reason)
    expect(appErrorData(error)).toMatchObject({ code: 'model_failed', params: { reason: 'tool_loop' } })
    expect(fake.requests.map(({ tool_choice, tools }) => tool_choice ?? tools?.length ?? 'omitted')).toEqual([
      ...['auto', 'auto', 'auto', 'auto', 'none', 'omitted'],
    ])
    expect(calls).toHaveLength(4)
  })

  it('are left out of the last call of a model that calls them although it was asked not to, and it answers', async () => {
    fake.reply(({ tools }) => (tools ? { toolCalls: [{ name: 'search', arguments: '{}' }] } : { text: 'Two days.' }))
    const refusals: (string | null)[] = []
    const toolBudget = createToolBudget({ onUncarried: ({ refusal }) => refusals.push(refusal) })
    expect((await llm.generate(ask({ tools: [search], toolBudget }))).text).toBe('Two days.')
    expect(refusals).toEqual(['not_offered'])
  })

  it('are carried out up to a limit of a step; of the rest the model sees one, and the record all', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ name: 'search', arguments: `{"query":"${index}"}` }))
    replies({ toolCalls: many }, { text: 'Two days.' })
    const refused: unknown[] = []
    const toolBudget = createToolBudget({ onUncarried: (call) => refused.push(call) })
    expect((await llm.generate(ask({ tools: [search], toolBudget }))).text).toBe('Two days.')
    expect(calls).toHaveLength(TOOL_CALLS_PER_STEP)
    const results = fake.requests[1]?.messages.filter(({ role }) => role === 'tool') ?? []
    expect(results).toHaveLength(TOOL_CALLS_PER_STEP + 1)
    expect(results.at(-1)?.content).toContain('at most 8 calls')
    expect(refused).toHaveLength(500 - TOOL_CALLS_PER_STEP)
    expect(refused.at(-1)).toMatchObject({ name: 'search', arguments: '{"query":"499"}', refusal: 'step_limit' })
  })

  it('are carried out up to a limit of an answer, also by several models; then the answer is asked for', async () => {
    const eight = Array.from({ length: 8 }, () => ({ name: 'search', arguments: '{}' }))
    fake.reply(({ tool_choice }) => (tool_choice === 'none' ? { text: 'Two days.' } : { toolCalls: eight }))
    const refusals: (string | null)[] = []
    const toolBudget = createToolBudget({ onUncarried: ({ refusal }) => refusals.push(refusal) })
    const request = ask({ tools: [search], toolBudget })
    expect((await llm.generate(request)).text).toBe('Two days.')
    expect(calls).toHaveLength(TOOL_CALLS_PER_TURN)
    expect(refusals).toEqual(Array.from({ length: 8 }, () => 'turn_limit'))
    await llm.generate(request)
    expect(calls).toHaveLength(TOOL_CALLS_PER_TURN)
  })

  it('are carried out as long as the customer has calls left', async () => {
    replies(
      { toolCalls: Array.from({ length: 4 }, () => ({ name: 'search', arguments: '{}' })) },
      { text: 'Two days.' },
    )
    const toolBudget = createToolBudget({ callsLeft: async () => 3 })
    expect((await llm.generate(ask({ tools: [search], toolBudget }))).text).toBe('Two days.')
    expect(calls).toHaveLength(3)
    expect(fake.requests[1]).toMatchObject({ tool_choice: 'none' })
    expect(fake.requests[1]?.messages.at(-1)?.content).toContain('for this customer right now')
  })

  it('that cost nothing can be called when nothing else can', async () => {
    const free: Tool = { ...search, name: 'hand_off', isFree: true }
    replies({ toolCalls: [{ name: 'hand_off', arguments: '{}' }] }, { text: 'A person will answer.' })
    await llm.generate(ask({ tools: [free], toolBudget: createToolBudget({ callsLeft: async () => 0 }) }))
    expect(calls).toHaveLength(1)
  })

  it('give the model no more than a budget of characters, of each result and of all', async () => {
    const long: Tool = { ...search, run: async (args) => (calls.push(args), 'x'.repeat(50_000)) }
    replies(
      { toolCalls: Array.from({ length: 6 }, () => ({ name: 'search', arguments: '{}' })) },
      { text: 'Two days.' },
    )
    await llm.generate(ask({ tools: [long] }))
    const results = fake.requests[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content) ?? []
    const sizes = results.map((content) => content?.match(/x/g)?.length ?? 0)
    expect(Math.max(...sizes)).toBe(TOOL_RESULT_MAX)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(TOOL_RESULTS_MAX + results.length)
    expect(results[0]).toContain('30000 more characters are left out')
    expect(results.at(-1)).toContain('long enough')
    expect(calls).toHaveLength(3)
  })

  it('called with more than any tool asks for are not run, and the prompt does not grow by it', async () => {
    const input = JSON.stringify({ query: 'x'.repeat(100_000) })
    replies({ toolCalls: [{ name: 'search', arguments: input }] }, { text: 'Two days.' })
    await llm.generate(ask({ tools: [search] }))
    expect(calls).toEqual([])
    expect(JSON.stringify(fake.requests[1]).length).toBeLessThan(20_000)
  })

  it.each([
    ['an unknown tool', 'launch_rocket', '{}', 'unknown_tool'],
    ['malformed arguments', 'search', '{"query":', 'bad_arguments'],
    ['arguments that the tool refuses', 'search', '{}', 'bad_arguments'],
    ['a tool that fails', 'broken', '{}', null],
  ])('called in vain leave a note: %s', async (_name, name, args, refusal) => {
    const strict: Tool = { ...search, run: () => Promise.reject(new ToolRefused('bad_arguments', BAD_FORM)) }
    const broken: Tool = { ...search, name: 'broken', run: () => Promise.reject(new Error('password=hunter2')) }
    const noted: unknown[] = []
    const toolBudget = createToolBudget({ onUncarried: (call) => noted.push(call) })
    replies({ toolCalls: [{ name, arguments: args }] }, { text: 'Let me answer anyway.' })
    await llm.generate(ask({ tools: [strict, broken], toolBudget }))
    expect(noted).toMatchObject([{ name, refusal }])
    expect(JSON.stringify(noted)).not.toContain('hunter2')
  })
})
