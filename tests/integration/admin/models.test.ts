// Models and prices as administrators set them: what a call costs from then on, what may be chosen, and what new agents get.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepPrices } from '#server/domain/models/keep-prices.ts'
import { createLlm } from '#server/integrations/llm/create.ts'
import { Prices } from '#server/integrations/llm/prices.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import type { Agent } from '#shared/agents/agents.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import { appErrorData } from '#shared/errors.ts'
import type { AdminModel, ModelPrice } from '#shared/organizations/model-settings.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'

const admin = api.admin.models
const MODEL = 'openai/gpt-5-mini'
const PRICE: ModelPrice = { input: 1_000, output: 2_000, cachedInput: null, maxInputTokens: null }
const DAY_MS = 86_400_000
let app: TestApp
let openai: FakeOpenAi
let person: Person
let owner: Person
const prices = new Prices()
let stop: () => void
beforeAll(async () => {
  openai = await startFakeOpenAi()
  const none = { apiKey: undefined, baseUrl: undefined }
  const llm = createLlm(
    { openai: { apiKey: 'key', baseUrl: openai.url }, anthropic: none, google: none, prices },
    createLogger('silent'),
  )
  app = await startApp({ overrides: { llm } })
  stop = await keepPrices(app.database, prices, createLogger('silent'), 50)
  person = await app.signUp()
  owner = await app.signUp({ organization: 'Чайная лавка' })
})
afterAll(async () => {
  stop()
  await app.close()
  await openai.close()
})

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
const setPrice = (price: ModelPrice | null, from?: number, model = MODEL) =>
  person.http.mutation(admin.setPrice, { model, price, ...(from !== undefined && { from }) })
async function listed(name = MODEL): Promise<AdminModel | undefined> {
  const { models } = await person.http.query(admin.list, {})
  return models.find((model: AdminModel) => model.name === name)
}
async function pricesAre(read: () => boolean): Promise<void> {
  for (let tries = 0; !read(); tries++) {
    if (tries > 200) throw new Error('The server does not know the price')
    await sleep(20)
  }
}
const newAgent = (model?: string): Promise<Agent> =>
  owner.http.mutation(api.agents.create, { name: 'Agent', ...(model !== undefined && { model }) })

/** What the organization's test chat has cost so far, and by which version of the price. */
async function costs(): Promise<{ cost: number | null; version: string | null }[]> {
  return app.database.system('test: costs', async (db) => {
    const { rows } = await sql<{ cost: number | null; version: string | null }>`
      select cost_micro_usd::float8 as cost, price_version as version from usage_events where model = ${MODEL} order by occurred_at`.execute(
      db,
    )
    return rows
  })
}

describe('a price', () => {
  it('holds from now on, and leaves what was counted before at its cost', async () => {
    const agent = await newAgent(MODEL)
    const ask = async () => {
      await owner.http.mutation(api.testChat.send, { agentId: agent._id, text: 'Hello?', overrides: {}, variant: 'a' })
      await app.settle()
    }
    await ask()
    const [before] = await costs()
    await setPrice(PRICE)
    await pricesAre(() => prices.of(MODEL, Date.now()).price?.input === 1_000)
    await ask()
    const [unchanged, after] = await costs()
    expect(unchanged).toEqual(before)
    expect(after?.cost).toBeGreaterThan(100 * (before?.cost ?? 0))
    expect(after?.version).not.toBe(before?.version)
    expect(await listed()).toMatchObject({ price: PRICE, next: null, agents: 1, use: { calls: 2, unpricedCalls: 0 } })
    const offered: ModelInfo[] = await owner.http.query(api.models.list, {})
    expect(offered.find(({ name }) => name === MODEL)).toMatchObject({ inputUsdPerMillion: 1_000 })
  })

  it('can be set for later, and given up for the list price', async () => {
    const from = Date.now() + DAY_MS
    await setPrice({ ...PRICE, input: 3 }, from)
    expect(await listed()).toMatchObject({ price: PRICE, next: { price: { input: 3 }, from } })
    await pricesAre(() => prices.of(MODEL, from).price?.input === 3)
    await setPrice(null)
    expect(await listed()).toMatchObject({ price: { input: 0.25, cachedInput: 0.025 }, setFrom: null })
    const history = await person.http.query(admin.prices, { model: MODEL })
    expect(history.map(({ price }: { price: ModelPrice | null }) => price?.input ?? null)).toEqual([3, null, 1_000])
  })

  it('is neither of the past nor nonsense', async () => {
    expect(await codeOf(setPrice(PRICE, Date.now() - DAY_MS))).toBe('price_in_past')
    for (const input of [-1, 0.0001, Number.NaN, 1e9])
      expect(await codeOf(setPrice({ ...PRICE, input }))).toBe('invalid_arguments')
    for (const name of ['no provider', 'parley-extractive'])
      expect(await codeOf(setPrice(PRICE, undefined, name))).toBe('invalid_arguments')
    const withdrawn = { model: 'parley-extractive', isOffered: false }
    expect(await codeOf(person.http.mutation(admin.setOffered, withdrawn))).toBeUndefined()
  })

  it('of a model that is not listed can be set, and the model is shown with its agents', async () => {
    await newAgent('openai/own-model')
    expect(await listed('openai/own-model')).toMatchObject({ price: null, agents: 1 })
    await setPrice(PRICE, undefined, 'openai/own-model')
    expect(await listed('openai/own-model')).toMatchObject({ price: PRICE })
  })
})

describe('a model that is not offered', () => {
  it('can be chosen for no agent, and stays with those that have it', async () => {
    const agent = await newAgent('openai/gpt-5')
    await person.http.mutation(admin.setOffered, { model: 'openai/gpt-5', isOffered: false })
    expect(await codeOf(newAgent('openai/gpt-5'))).toBe('model_not_offered')
    const other = await newAgent(MODEL)
    const change = (id: Agent['_id'], model: string) =>
      owner.http.mutation(api.agents.update, { id, patch: { model, temperature: 1 } })
    expect(await codeOf(change(other._id, 'openai/gpt-5'))).toBe('model_not_offered')
    expect(await codeOf(change(agent._id, 'openai/gpt-5'))).toBeUndefined()
    const offered: ModelInfo[] = await owner.http.query(api.models.list, {})
    expect(offered.find(({ name }) => name === 'openai/gpt-5')?.isWithdrawn).toBe(true)
    await person.http.mutation(admin.setOffered, { model: 'openai/gpt-5', isOffered: true })
    expect(await codeOf(change(other._id, 'openai/gpt-5'))).toBeUndefined()
  })
})

describe('the model of new agents', () => {
  it('is the chosen one, which stays offered', async () => {
    await person.http.mutation(admin.setDefault, { model: 'openai/gpt-4.1' })
    expect((await newAgent()).model).toBe('openai/gpt-4.1')
    const withdraw = person.http.mutation(admin.setOffered, { model: 'openai/gpt-4.1', isOffered: false })
    expect(await codeOf(withdraw)).toBe('default_model_not_withdrawn')
    await person.http.mutation(admin.setDefault, { model: null })
    await person.http.mutation(admin.setOffered, { model: MODEL, isOffered: false })
    const { model } = await newAgent()
    expect(model).not.toBe(MODEL)
    expect(await codeOf(person.http.mutation(admin.setDefault, { model: MODEL }))).toBe('model_not_offered')
  })
})
