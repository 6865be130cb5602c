// Whose key a call is made with.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '#server/platform/lib/logger.ts'
import { appErrorData } from '#shared/errors.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { createLlm } from './create.ts'
import type { GenerateRequest, Llm } from './llm.ts'
import { createProviders } from './providers.ts'
import { createRetryBudget } from './retries.ts'

const LIMITS = { firstTokenMs: 2_000, totalMs: 4_000, maxRetryDelayMs: 700 }
const noAccess = { apiKey: undefined, baseUrl: undefined }
const OWN = 'sk-own-key-of-the-agent'

let fake: FakeOpenAi

beforeEach(async () => {
  fake = await startFakeOpenAi({ apiKey: OWN, reply: () => ({ text: 'Yes.' }) })
})
afterEach(() => fake.close())

function connect(logged: string[] = [], apiKey = 'sk-of-the-installation'): Llm {
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) })
  return createLlm({ openai: { apiKey, baseUrl: fake.url }, anthropic: noAccess, google: noAccess }, log, LIMITS)
}

function ask(overrides: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    model: 'openai/gpt-4.1-mini',
    temperature: 0.3,
    system: '',
    messages: [{ role: 'user', text: 'Is it open?' }],
    passages: [],
    isWeakEvidence: false,
    tools: [],
    signal: new AbortController().signal,
    ...overrides,
  }
}

async function reasonOf(answer: Promise<unknown>): Promise<unknown> {
  const error: unknown = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return appErrorData(error)?.params.reason
}

describe('a key of the agent', () => {
  it('goes before that of the installation, for this call alone', async () => {
    const llm = connect()
    expect((await llm.generate(ask({ keyOf: () => OWN }))).text).toBe('Yes.')
    expect(await reasonOf(llm.generate(ask()))).toBe('invalid_key')
  })

  it('makes a provider usable that the installation has no key of, and goes to no other', async () => {
    const asked: string[] = []
    const llm = createLlm({ openai: noAccess, anthropic: noAccess, google: noAccess }, createLogger('silent'), LIMITS)
    const keyOf = (provider: string) => {
      asked.push(provider)
      return undefined
    }
    const error = await llm.generate(ask({ model: 'anthropic/claude-haiku-4-5', keyOf })).catch(appErrorData)
    expect(error).toMatchObject({ code: 'model_not_configured' })
    expect(asked).toEqual(['anthropic'])
  })

  it('never stands in the log, not even when the provider repeats it', async () => {
    const logged: string[] = []
    fake.reply(() => ({ failure: 'status_401', message: `Incorrect API key provided: ${OWN}.` }))
    expect(await reasonOf(connect(logged).generate(ask({ keyOf: () => OWN })))).toBe('invalid_key')
    expect(logged.join()).toContain('model call failed')
    expect(logged.join()).not.toContain(OWN)
  })

  it('has second tries of its own: those of a dead account do not use up those of others', () => {
    const openai = { apiKey: 'sk-of-the-installation', baseUrl: undefined }
    const providers = createProviders({ openai, anthropic: noAccess, google: noAccess })
    const [dead, other, shared] = ['sk-of-a-dead-account', OWN, undefined].map(
      (key) => providers.resolve('openai/gpt-4.1-mini', () => key).account,
    )
    const budget = createRetryBudget()
    for (let call = 0; call < 20; call++) budget.take(dead ?? '')
    expect([dead, other, shared].map((account) => budget.take(account ?? ''))).toEqual([false, true, true])
    expect(`${dead} ${other}`).not.toContain('sk-')
  })
})
