// Flags of the installation: what each switches off is refused, an exception of an organization wins, and other servers obey at once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { FLAGS, type Flag, type OrganizationFlag } from '#shared/organizations/flags.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type FakeWebSearch, startFakeWebSearch, webSearchConfig } from '#tests/fakes/web-search.ts'

const flags = api.admin.flags
const appSecret = 'the same for all servers, and long enough'
let database: TestDatabase
let telegram: FakeTelegram
let openai: FakeOpenAi
let web: FakeWebSearch
/** Where flags are set, and another server of the same installation. */
let app: TestApp
let other: TestApp
let admin: Person
let owner: Person
let organizationId: Id<'organizations'>

beforeAll(async () => {
  database = await openTestDatabase()
  telegram = await startFakeTelegram()
  openai = await startFakeOpenAi()
  web = await startFakeWebSearch('tavily', [{ url: 'http://post.example/', title: 'Почта', text: 'Тариф' }])
  const config = { webSearch: webSearchConfig(web, 'tavily'), appSecret }
  app = await startApp({ database, config, telegram, openai })
  other = await startApp({ database, config, telegram, openai })
  admin = await app.signUp()
  owner = await other.signUp({ organization: 'Чайная лавка' })
  organizationId = owner.organization._id
})
afterAll(async () => {
  await Promise.all([app.close(), other.close()])
  await Promise.all([telegram.close(), openai.close(), web.close()])
  await database.close()
})
beforeEach(async () => {
  await database.database.root.deleteFrom('flags').execute()
  await database.database.system('test: no exceptions', (db) => db.deleteFrom('flag_overrides').execute())
})

const list = (): Promise<Flag[]> => admin.http.query(flags.list, {})
const find = async (key: string) => (await list()).find((flag) => flag.key === key)
const set = (key: string, enabled: boolean, description?: string) =>
  admin.http.mutation(flags.set, { key, enabled, ...(description !== undefined && { description }) })
const except = (key: OrganizationFlag | string, enabled: boolean | null, of = organizationId) =>
  admin.http.mutation(flags.setOverride, { key, organizationId: of, enabled })
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => appErrorData(error),
  )
const codeOf = async (call: Promise<unknown>) => (await refusal(call))?.code

describe('the list', () => {
  it('has every flag that the program obeys, on until it is set', async () => {
    expect(await list()).toEqual(
      Object.entries(FLAGS).map(([key, { isForAll }]) => ({
        ...{ key, isForAll, description: '', isEnabled: true, updatedAt: null, isUsed: true, overrides: [] },
      })),
    )
  })

  it('keeps a description that a change leaves out, the time, and exceptions by name', async () => {
    await set('voice', false, 'Costs too much')
    await set('voice', true)
    await except('voice', false)
    expect(await find('voice')).toMatchObject({
      ...{ description: 'Costs too much', isEnabled: true, updatedAt: expect.any(Number) },
      overrides: [{ organizationId, name: 'Чайная лавка', isEnabled: false }],
    })
    await except('voice', null)
    expect((await find('voice'))?.overrides).toEqual([])
  })

  it('keeps a flag that the program does not obey, and names it as unused', async () => {
    await set('dark_launch', true)
    expect(await find('dark_launch')).toMatchObject({ isEnabled: true, isUsed: false })
  })
})

describe('is refused', () => {
  it.each([
    ['missing_flag_key', ''],
    ['missing_flag_key', '  '],
    ['invalid_flag_key', 'Dark launch'],
  ])('with %s: %j', async (code, key) => {
    expect(await codeOf(set(key, true))).toBe(code)
  })

  it('an exception without a key, to an unknown flag, for an unknown organization, or to a flag of all', async () => {
    expect(await codeOf(except(' ', true))).toBe('missing_flag_key')
    expect(await codeOf(except('unheard_of', true))).toBe('not_found')
    expect(await codeOf(except('voice', true, 'nowhere' as Id<'organizations'>))).toBe('not_found')
    expect(await codeOf(except('open_sign_up', true))).toBe('flag_without_overrides')
  })
})

describe('open_sign_up', () => {
  const signUp = async (email: string) => {
    const answer = await other.auth('/sign-up/email', { body: { email, password: PASSWORD } })
    return { status: answer.status, body: (await answer.json()) as { code?: string } }
  }
  const rule = async () => (await (await fetch(`${other.url}/api/config`)).json()).signUp.rule

  it('when off lets in those who were invited alone, at once on another server', async () => {
    await set('open_sign_up', false)
    expect(await signUp('late@example.test')).toMatchObject({ status: 403, body: { code: 'SIGN_UP_INVITED_ONLY' } })
    expect(await rule()).toBe('invited')
    await owner.http.mutation(api.organizations.invites.create, { email: 'guest@example.test', role: 'operator' })
    expect((await signUp('guest@example.test')).status).toBe(200)
    await set('open_sign_up', true)
    expect((await signUp('late@example.test')).status).toBe(200)
    expect(await rule()).toBe('open')
  })

  it('does not open what the settings of the server close', async () => {
    await set('open_sign_up', true)
    const closed = await startApp({ database, config: { appSecret, signUp: { rule: 'closed', domains: [] } } })
    const answer = await closed.auth('/sign-up/email', { body: { email: 'x@example.test', password: PASSWORD } })
    expect(answer.status).toBe(403)
    await closed.close()
  })
})

describe('new_channels', () => {
  async function connect() {
    const agent = await owner.http.mutation(api.agents.create, { name: 'Helper' })
    const { token } = telegram.addBot()
    return owner.http.action(api.channels.telegram.provision, { agentId: agent._id, botToken: token })
  }

  it('when off refuses further connections, and an exception wins', async () => {
    await set('new_channels', false)
    expect(await refusal(connect())).toMatchObject({ code: 'flag_off', params: { flag: 'new_channels' } })
    await except('new_channels', true)
    await connect()
    await set('new_channels', true)
    await except('new_channels', false)
    expect(await codeOf(connect())).toBe('flag_off')
    await except('new_channels', null)
    await connect()
  })
})

describe('web_search', () => {
  const toolsOffered = () => openai.requests.at(-1)?.tools?.map((tool) => tool.function.name) ?? []

  async function prepare() {
    const agent = await owner.http.mutation(api.agents.create, { name: 'Агент', model: 'openai/gpt-5-mini' })
    const { _id: knowledgeSpaceId } = await owner.http.mutation(api.knowledge.spaces.create, { name: 'Доставка' })
    await owner.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId: agent._id })
    await owner.http.mutation(api.knowledge.webSearch.update, { knowledgeSpaceId, patch: { isEnabled: true } })
    return { agentId: agent._id, knowledgeSpaceId }
  }
  async function ask(agentId: Id<'agents'>) {
    const { length } = openai.requests
    await owner.http.mutation(api.testChat.send, { agentId, text: 'Сколько стоит?' })
    await expect.poll(() => openai.requests.length, { timeout: 20_000 }).toBeGreaterThan(length)
    await Promise.all([app.settle(), other.settle()])
  }

  it('when off refuses a search and takes the tool from answers, and an exception wins', async () => {
    openai.reply(() => ({ text: 'Привет.' }))
    const { agentId, knowledgeSpaceId } = await prepare()
    const search = () => owner.http.action(api.knowledge.webSearch.test, { knowledgeSpaceId, query: 'тариф' })
    await set('web_search', false)
    expect(await refusal(search())).toMatchObject({ code: 'flag_off', params: { flag: 'web_search' } })
    await ask(agentId)
    expect(toolsOffered()).not.toContain('search_web')
    await except('web_search', true)
    await search()
    await ask(agentId)
    expect(toolsOffered()).toContain('search_web')
  })
})

it('every change is on record, with what it was before', async () => {
  await set('voice', false)
  await except('voice', true)
  const { page } = await admin.http.query(api.admin.audit.list, {
    ...{ range: 'all', paginationOpts: { numItems: 2, cursor: null } },
  })
  expect(page.map(({ action }: { action: string }) => action)).toEqual(['admin/flags:setOverride', 'admin/flags:set'])
})
