// The model that assists operators: chosen by the organization, at its own price; and translations of customers' messages.
import { type Insertable, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tables } from '#server/platform/db/tables/database.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const TOKENS = { prompt: 1000, completion: 100 }
const { helper } = api.conversations

let telegram: FakeTelegram
let openai: FakeOpenAi
let app: TestApp
let olga: Person
let token: string
let agentId: Id<'agents'>
let conversationId: Id<'conversations'>
let chat = 8200

beforeAll(async () => {
  telegram = await startFakeTelegram()
  openai = await startFakeOpenAi()
  app = await startApp({ telegram, openai })
  olga = await app.signUp({ name: 'Olga' })
})
afterAll(async () => {
  await app.close()
  await Promise.all([telegram.close(), openai.close()])
})
beforeEach(async () => {
  chat++
  openai.reply(() => ({ text: 'Gladly.', usage: TOKENS }))
  const agent = await olga.http.mutation(api.agents.create, { name: `Helper ${chat}`, model: 'openai/gpt-4.1' })
  agentId = agent._id
  token = telegram.addBot().token
  await olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
  telegram.customerSays(token, { chatId: chat, firstName: 'Wilhelm' }, 'Where is my order?')
  await telegram.waitForSent(chat)
  await app.settle()
  const { page } = await olga.http.query(api.conversations.list, { ...FIRST_PAGE, agentId })
  if (!page[0]) throw new Error('there is no conversation')
  conversationId = page[0]._id
  openai.requests.length = 0
})

const choose = (helperModel: string) => olga.http.mutation(api.organizations.update, { patch: { helperModel } })
const correct = () => olga.http.action(helper.rewrite, { conversationId, draft: 'We is open', manner: 'correct' })
const spent = () =>
  app.database.root
    .selectFrom('usage_events')
    .where('agent_id', '=', agentId)
    .where('category', '=', 'helper_generation')
    .select(['model', 'messages', 'cost_micro_usd'])
    .execute()
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => appErrorData(error)?.code,
  )
const translate = (messageId: Id<'messages'>, by = olga, language: 'ru' | 'en' = 'ru'): Promise<{ text: string }> =>
  by.http.action(helper.translateMessage, { messageId, language })
const translations = () => app.database.root.selectFrom('message_translations').select(['language', 'text']).execute()

async function messageOf(author: 'customer' | 'agent'): Promise<Id<'messages'>> {
  const { page } = await olga.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
  const found = page.find((message) => message.author === author)
  if (!found) throw new Error(`no message of the ${author}`)
  return found._id
}

describe('the model of the helper', () => {
  it('is the agent’s own until the organization chooses another, whose price then counts', async () => {
    expect(olga.organization.helperModel).toBe('')
    await correct()
    await choose('openai/gpt-4.1-nano')
    await correct()
    await choose('')
    await correct()
    expect(openai.requests.map(({ model }) => model)).toEqual(['gpt-4.1', 'gpt-4.1-nano', 'gpt-4.1'])
    expect(await spent()).toEqual([
      { model: 'openai/gpt-4.1', messages: 1, cost_micro_usd: 2800 },
      { model: 'openai/gpt-4.1-nano', messages: 1, cost_micro_usd: 140 },
      { model: 'openai/gpt-4.1', messages: 1, cost_micro_usd: 2800 },
    ])
  })

  it('shows an operator none of its reasoning', async () => {
    openai.reply(() => ({ text: '<think>Purchase price is 300.</think>Gladly.', usage: TOKENS }))
    expect(await correct()).toEqual({ text: 'Gladly.' })
    expect((await olga.http.action(helper.suggest, { conversationId })).text).toBe('Gladly.')
    expect(await translate(await messageOf('customer'))).toEqual({ text: 'Gladly.' })
    const wish = { agentId, description: 'A flower shop', language: 'en' as const }
    expect((await olga.http.action(api.agents.prompts.generate, wish)).text).toBe('Gladly.')
  })

  it('also assists where the agent itself only quotes', async () => {
    await olga.http.mutation(api.agents.update, { id: agentId, patch: { model: EXTRACTIVE_MODEL } })
    expect(await codeOf(correct())).toBe('model_cannot_write')
    await choose('openai/gpt-4.1-nano')
    expect(await correct()).toEqual({ text: 'Gladly.' })
    expect((await olga.http.action(helper.suggest, { conversationId })).text).toBe('Gladly.')
    await choose('')
  })

  it('must exist, and be able to write', async () => {
    expect(await codeOf(choose('nonsense'))).toBe('model_unknown')
    expect(await codeOf(choose(EXTRACTIVE_MODEL))).toBe('model_cannot_write')
    expect((await olga.http.query(api.users.current, {}))?.organization?.helperModel).toBe('')
  })
})

describe('a message of a customer', () => {
  it('is translated once per language, for all members, and nothing is sent', async () => {
    const messageId = await messageOf('customer')
    let asked = 0
    const go = Promise.withResolvers<void>()
    openai.reply(async () => {
      asked++
      await go.promise
      return { text: ' Где мой заказ? ', usage: TOKENS }
    })
    const many = Array.from({ length: 5 }, () => translate(messageId))
    setTimeout(go.resolve, 500)
    expect(await Promise.all(many)).toEqual(Array(5).fill({ text: 'Где мой заказ?' }))
    expect(await translate(messageId)).toEqual({ text: 'Где мой заказ?' })
    expect(asked).toBe(1)
    await translate(messageId, olga, 'en')
    expect(asked).toBe(2)
    expect((await spent()).map(({ messages }) => messages)).toEqual([1, 1])
    await app.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    const { page } = await olga.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
    expect(page.filter(({ author }) => author !== 'system')).toHaveLength(2)
  })

  it('is translated again after an edit', async () => {
    const messageId = await messageOf('customer')
    openai.reply(() => ({ text: 'Где мой заказ?' }))
    await translate(messageId)
    const message = app.database.root.updateTable('messages').where('id', '=', messageId)
    await message.set({ text: 'Where is my parcel?' }).execute()
    openai.reply(() => ({ text: 'Где моя посылка?' }))
    expect(await translate(messageId)).toEqual({ text: 'Где моя посылка?' })
    expect(await translate(messageId)).toEqual({ text: 'Где моя посылка?' })
    expect(openai.requests).toHaveLength(2)
  })

  it('is translated for its organization only; other authors’ and missing messages are not translated', async () => {
    const messageId = await messageOf('customer')
    await translate(messageId)
    const stranger = await app.signUp()
    expect(await codeOf(translate(messageId, stranger))).toBe('not_found')
    expect(await codeOf(translate(await messageOf('agent')))).toBe('not_found')
  })

  it('is not translated beyond the allowance, but can be later; existing translations are still shown', async () => {
    const messageId = await messageOf('customer')
    await translate(messageId, olga, 'en')
    const limit = (monthly_limit: number | null) =>
      app.database.root
        .updateTable('organizations')
        .where('id', '=', olga.organization._id)
        .set({ monthly_limit })
        .execute()
    await limit(1)
    expect(await codeOf(translate(messageId))).toBe('allowance_used_up')
    expect(await codeOf(translate(messageId, olga, 'en'))).toBe('success')
    await limit(null)
    expect(await codeOf(translate(messageId))).toBe('success')
  })

  it('is erased together with its translations', async () => {
    const messageId = await messageOf('customer')
    openai.reply(() => ({ text: 'to be erased' }))
    await translate(messageId)
    const { customer } = await olga.http.query(api.conversations.get, { conversationId })
    if (!customer) throw new Error('there is no customer')
    await olga.http.mutation(api.conversations.contacts.erase, { customerId: customer._id })
    expect((await translations()).filter(({ text }) => text === 'to be erased')).toEqual([])
  })
})

describe('what a conversation has cost', () => {
  type Costs = { costMicroUsd: number; costs: unknown[]; inputTokens: number; unpricedCalls: number }
  const metrics = (): Promise<Costs> => olga.http.query(api.conversations.contacts.metrics, { conversationId })

  it('is reported by category, and includes the assistance of operators', async () => {
    await correct()
    await choose('openai/gpt-4.1-nano')
    await correct()
    await translate(await messageOf('customer'))
    await choose('')
    expect(await metrics()).toMatchObject({
      inputTokens: 4000,
      costMicroUsd: 5880,
      costs: [
        { purpose: 'reply', costMicroUsd: 2800 },
        { purpose: 'helper', costMicroUsd: 3080 },
      ],
      unpricedCalls: 0,
    })
  })

  it('excludes other conversations, and reports calls of unknown price', async () => {
    const event = (source_id: string, conversation_id: Id<'conversations'>): Insertable<Tables['usage_events']> => ({
      ...{ source_id, conversation_id, organization_id: olga.organization._id, agent_id: agentId, messages: 0 },
      ...{ category: 'helper_generation', channel: 'telegram', purpose: 'search' },
      ...{ provider: 'own', model: 'own/unpriced', input_tokens: 1, output_tokens: 0 },
    })
    const other = 'another' as Id<'conversations'>
    const { root } = app.database
    await root
      .insertInto('usage_events')
      .values([event(`${chat}a`, conversationId), event(`${chat}b`, other)])
      .execute()
    expect(await metrics()).toMatchObject({ inputTokens: 1001, unpricedCalls: 1, costs: [{ purpose: 'reply' }] })
  })

  it('is read by an index', async () => {
    const { root } = app.database
    const plan = await root.transaction().execute(async (db) => {
      await sql`set local enable_seqscan = off`.execute(db)
      return sql`explain select sum(cost_micro_usd) from usage_events
        where organization_id = 'o' and conversation_id = 'c' and purpose is not null group by purpose`.execute(db)
    })
    expect(JSON.stringify(plan.rows)).toContain('usage_events_conversation')
  })
})
