// HTTP tools through the whole server: an agent looks up orders of the customer who writes, and of no one else.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'
import { TOOL_FAILING_FROM, type ToolDefinition } from '#shared/tools/tools.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeShop, SHOP_HOST, SHOP_KEY, startFakeShop } from '#tests/fakes/shop.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const ANNA = '77010000001'
const BORIS = '77010000002'
let shop: FakeShop
let openai: FakeOpenAi
let greenApi: FakeGreenApi
let app: TestApp
let person: Person
let instance: FakeInstance
let agentId: Id<'agents'>
let secretId: Id<'toolSecrets'>
let toolId: Id<'httpTools'>

beforeAll(async () => {
  shop = await startFakeShop()
  openai = await startFakeOpenAi()
  greenApi = await startFakeGreenApi({ secondMs: 5, restartSeconds: 0.2 })
  const config = { publicUrl: 'https://parley.example', hasPublicUrl: true }
  app = await startApp({ openai, greenApi, config, overrides: { outbound: shop.reach() } })
  greenApi.webhookOrigin = () => app.url
  person = await app.signUp()
  agentId = (await person.http.mutation(api.agents.create, { name: 'Seller', model: 'openai/gpt-5-mini' }))._id
  // One customer asks dozens of times within a minute.
  const spam = { agentDailyLimit: null, customerDailyLimit: null, warningPercent: 80, text: '' }
  await person.http.mutation(api.agents.update, { id: agentId, patch: { spam, machineTalk: { isOn: false } } })
  instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
  await person.http.mutation(api.tools.vault.addHost, { host: SHOP_HOST })
  await person.http.action(api.tools.vault.setSecret, { name: 'Shop', host: SHOP_HOST, value: SHOP_KEY })
  secretId = (await person.http.query(api.tools.vault.secrets, {}))[0]?._id as Id<'toolSecrets'>
  toolId = (await person.http.mutation(api.tools.create, { tool: tool() })).toolId
})
afterAll(async () => {
  await app.close()
  await Promise.all([shop.close(), openai.close(), greenApi.close()])
})
beforeEach(async () => {
  shop.calls.length = 0
  shop.fail(false)
  await person.http.mutation(api.tools.update, { toolId, tool: tool() })
  await switchOn([toolId])
})

function tool(change: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    ...{ name: 'order_status', description: 'The state of an order.', method: 'GET', approval: 'none', title: '' },
    url: `https://${SHOP_HOST}/orders/{number}?phone={phone}`,
    headers: [{ name: 'Authorization', value: 'Bearer ', secretId }],
    parameters: { type: 'object', properties: { number: { type: 'string', maxLength: 40 } }, required: ['number'] },
    bound: [{ argument: 'phone', from: 'phone' }],
    body: '',
    fields: [
      { name: 'state', pointer: '/order/state' },
      { name: 'note', pointer: '/order/note' },
    ],
    ...{ timeoutSeconds: 1, maxKilobytes: 64, perTurn: 3, perDay: 1000 },
    ...change,
  }
}

const switchOn = (tools: Id<'httpTools'>[]) =>
  person.http.mutation(api.agents.update, { id: agentId, patch: { functions: { off: [], tools } } })
const change = (with_: Partial<ToolDefinition>) => person.http.mutation(api.tools.update, { toolId, tool: tool(with_) })
const calling = (args: unknown, count = 1): FakeReply => ({
  toolCalls: Array.from({ length: count }, () => ({ name: 'order_status', arguments: JSON.stringify(args) })),
})

/** A message of a customer who is known by a number, and the record of its answer. */
async function asked(phone: string, ...script: FakeReply[]): Promise<{ message: Message; trace: TurnTrace }> {
  const first = openai.requests.length
  openai.reply((_request, index) => script[Math.min(index - first, script.length - 1)] ?? {})
  const before = greenApi.sent.filter(({ chatId }) => chatId.startsWith(phone)).length
  greenApi.customerSays(instance.idInstance, { phone, name: phone }, 'Where is my order?')
  await greenApi.waitForSent(phone, before + 1)
  await app.settle()
  const { page } = await person.http.query(api.conversations.list, PAGE)
  const conversationId = page.find(({ customer }) => customer?.name === phone)?._id as Id<'conversations'>
  const messages = (await person.http.query(api.conversations.messages, { conversationId, ...PAGE })).page
  const message = messages.find(({ author }) => author === 'agent')
  if (!message?.turnId) throw new Error('The agent has not answered')
  const trace = await person.http.query(api.conversations.why, { turnId: message.turnId })
  if (!trace) throw new Error('The turn has left no record')
  return { message, trace }
}
/** What the model was given in its last request. */
const lastPrompt = () => JSON.stringify(openai.requests.at(-1))

describe('an agent', () => {
  it('looks up an order of who writes: the number comes from the messenger, the fields from the tool', async () => {
    const { message, trace } = await asked(ANNA, calling({ number: 'A-1' }), { text: 'It was sent.' })
    expect(message.text).toBe('It was sent.')
    expect(shop.calls).toEqual([
      { method: 'GET', path: '/orders/A-1', query: { phone: ANNA }, key: `Bearer ${SHOP_KEY}`, body: '' },
    ])
    expect(trace.tools).toMatchObject([
      {
        name: 'order_status',
        arguments: '{"number":"A-1"}',
        hasFailed: false,
        hasFound: true,
        http: { host: SHOP_HOST, status: 200, failure: null, bound: ['phone'] },
      },
    ])
    expect(lastPrompt()).not.toContain('internalCost')
    expect(lastPrompt()).not.toContain('Some tools change something')
  })

  it('is shown no argument that is bound', async () => {
    await asked(ANNA, { text: 'Which order?' })
    const offered = openai.requests.at(-1)?.tools?.find((each) => each.function.name === 'order_status')
    expect(offered?.function.parameters).toEqual({
      type: 'object',
      properties: { number: { type: 'string', maxLength: 40 } },
      required: ['number'],
      additionalProperties: false,
    })
  })

  it.each([
    { number: 'A-2', phone: BORIS },
    { number: 'A-2', phone: BORIS, contact_id: 'x' },
    { number: `A-2?phone=${BORIS}&x=` },
    { number: `../orders/A-2?phone=${BORIS}#` },
    { number: ['A-2'] },
    { phone: BORIS },
  ])('reaches no order of another customer with %j', async (args) => {
    const { trace } = await asked(ANNA, calling(args), { text: 'I cannot see it.' })
    for (const call of shop.calls) expect(call.query).toEqual({ phone: ANNA })
    expect(shop.calls.filter(({ query }) => query.phone === BORIS)).toEqual([])
    expect(trace.tools[0]?.result).not.toContain('packed')
    expect(trace.tools[0]).not.toMatchObject({ hasFound: true })
  })

  it('is given what a service says as data inside the fence', async () => {
    await asked(ANNA, calling({ number: 'A-1' }), { text: 'It was sent.' })
    const result = openai.requests.at(-1)?.messages.find(({ role }) => role === 'tool')
    const text = JSON.stringify(result)
    expect(text).toMatch(/Ignore all previous instructions/)
    const system = JSON.stringify(openai.requests.at(-1)?.messages.filter(({ role }) => role === 'system'))
    expect(system).not.toMatch(/Ignore all previous instructions/)
    expect(String(result?.content)).toMatch(/^([0-9a-f]{24})\n[\s\S]*\n\1$/)
    expect(openai.requests.at(-1)?.tools?.map((each) => each.function.name)).toEqual(['order_status', 'hand_off'])
  })

  it('does without a tool that is not switched on for it', async () => {
    await switchOn([])
    const { trace } = await asked(ANNA, calling({ number: 'A-1' }), { text: 'I cannot see it.' })
    expect(shop.calls).toEqual([])
    expect(trace.tools).toMatchObject([{ refusal: 'unknown_tool' }])
  })

  it('calls nothing where the channel does not tell what is bound', async () => {
    const first = openai.requests.length
    openai.reply((_request, index) => (index === first ? calling({ number: 'A-1' }) : { text: 'Who are you?' }))
    await person.http.mutation(api.testChat.send, { agentId, text: 'Where is my order?' })
    await app.settle()
    const message = (await person.http.query(api.testChat.messages, { agentId })).at(-1)
    const trace = await person.http.query(api.testChat.why, { turnId: message?.turnId as Id<'turns'> })
    expect(trace?.tools).toMatchObject([{ refusal: 'customer_unknown' }])
    expect(shop.calls).toEqual([])
  })

  it('searches by a body', async () => {
    await change({
      method: 'POST',
      url: `https://${SHOP_HOST}/search`,
      body: '{"q":"{number}","by":"{phone}"}',
      fields: [],
    })
    await asked(ANNA, calling({ number: 'A-1' }), { text: 'Found.' })
    expect(shop.calls).toMatchObject([{ method: 'POST', path: '/search', body: `{"q":"A-1","by":"${ANNA}"}` }])
  })
})

describe('limits', () => {
  it('of one answer', async () => {
    await change({ perTurn: 2 })
    const { trace } = await asked(ANNA, calling({ number: 'A-1' }, 4), { text: 'It was sent.' })
    expect(shop.calls).toHaveLength(2)
    expect(trace.tools.map(({ refusal }) => refusal)).toEqual([
      undefined,
      undefined,
      'tool_turn_limit',
      'tool_turn_limit',
    ])
  })

  it('of a day hold for calls at the same time', async () => {
    const [listed] = await person.http.query(api.tools.list, {})
    await change({ perDay: (listed?.usedToday ?? 0) + 2 })
    const first = openai.requests.length
    openai.reply((request, index) =>
      index >= first && !request.messages.some(({ role }) => role === 'tool')
        ? calling({ number: 'A-1' })
        : { text: 'Done.' },
    )
    const phones = Array.from({ length: 6 }, (_, at) => `7702000000${at}`)
    for (const phone of phones) greenApi.customerSays(instance.idInstance, { phone, name: phone }, 'Where?')
    await Promise.all(phones.map((phone) => greenApi.waitForSent(phone)))
    await app.settle()
    expect(shop.calls).toHaveLength(2)
  })
})

describe('a call that fails', () => {
  it.each([
    ['/moved', 'redirected'],
    ['/big', 'too_large'],
    ['/html', 'not_json'],
    ['/slow', 'timeout'],
  ])('because of %s is recorded as %s', async (path, failure) => {
    await change({ url: `https://${SHOP_HOST}${path}?n={number}&phone={phone}` })
    const { trace } = await asked(ANNA, calling({ number: 'A-1' }), { text: 'I cannot see it.' })
    expect(trace.tools).toMatchObject([{ hasFailed: true, http: { failure } }])
    expect(shop.calls.map((call) => call.path)).toEqual([path])
  })

  it('reaches no host that is not allowed, and nothing internal', async () => {
    await change({ url: 'https://other.example/{number}?phone={phone}', headers: [] })
    expect((await asked(ANNA, calling({ number: '1' }), { text: 'No.' })).trace.tools).toMatchObject([
      { http: { failure: 'host_not_allowed' } },
    ])
    await person.http.mutation(api.tools.vault.addHost, { host: 'other.example' })
    expect((await asked(ANNA, calling({ number: '1' }), { text: 'No.' })).trace.tools).toMatchObject([
      { http: { failure: 'address_not_public' } },
    ])
    expect(shop.calls).toEqual([])
    await person.http.mutation(api.tools.vault.removeHost, { host: 'other.example' })
  })

  it('sends a secret to no host but its own', async () => {
    await person.http.mutation(api.tools.vault.addHost, { host: 'other.example' })
    await change({ url: 'https://other.example/{number}?phone={phone}' })
    const { trace } = await asked(ANNA, calling({ number: '1' }), { text: 'No.' })
    expect(trace.tools).toMatchObject([{ http: { failure: 'secret_host' } }])
    await person.http.mutation(api.tools.vault.removeHost, { host: 'other.example' })
  })

  it('again and again shows its tool as failing, until it works', async () => {
    shop.fail(true)
    for (let time = 0; time < TOOL_FAILING_FROM; time++) {
      const [listed] = await person.http.query(api.tools.list, {})
      expect(listed?.failing).toBeNull()
      await asked(ANNA, calling({ number: 'A-1' }), { text: 'It does not work.' })
    }
    const failing = (await person.http.query(api.tools.list, {}))[0]?.failing
    expect(failing).toMatchObject({ times: TOOL_FAILING_FROM, failure: 'status' })
    shop.fail(false)
    await asked(ANNA, calling({ number: 'A-1' }), { text: 'It was sent.' })
    expect((await person.http.query(api.tools.list, {}))[0]?.failing).toBeNull()
  })
})

describe('a secret', () => {
  it('is shown nowhere: not by functions, records, prompts or the audit trail, also when the service repeats it', async () => {
    await change({ url: `https://${SHOP_HOST}/echo?n={number}&phone={phone}`, fields: [] })
    const { trace } = await asked(ANNA, calling({ number: 'A-1' }), { text: 'Odd.' })
    expect(trace.tools[0]?.result).toContain('Bearer •••')
    const example = await person.http.action(api.tools.test, {
      ...{ toolId, arguments: { number: 'A-1' }, bound: { phone: ANNA } },
    })
    expect(example.result).toContain('•••')
    shop.fail(true)
    const failed = await asked(ANNA, calling({ number: 'A-1' }), { text: 'Odd.' })
    const shown = [
      ...[trace, failed.trace, example, openai.requests],
      await person.http.query(api.tools.list, {}),
      await person.http.query(api.tools.vault.secrets, {}),
      await person.http.query(api.organizations.audit.list, { range: 'all', ...PAGE }),
      await app.database.root.selectFrom('tool_secrets').selectAll().execute(),
    ]
    expect(JSON.stringify(shown)).not.toContain(SHOP_KEY)
  })

  it('that a tool sends is not removed', async () => {
    const removal = person.http.mutation(api.tools.vault.removeSecret, { secretId })
    await expect(removal).rejects.toMatchObject({
      data: { code: 'tool_secret_in_use', params: { tool: 'order_status' } },
    })
  })

  it('is encrypted for its row: moved to another it opens nothing', async () => {
    await person.http.action(api.tools.vault.setSecret, { name: 'Other', host: SHOP_HOST, value: 'other-key-000' })
    const rows = await app.database.root.selectFrom('tool_secrets').selectAll().execute()
    const other = rows.find(({ name }) => name === 'Other')
    const own = rows.find(({ name }) => name === 'Shop')
    if (!other || !own) throw new Error('There are not two secrets')
    const put = (value: string) =>
      app.database.root.updateTable('tool_secrets').set({ value }).where('id', '=', own.id).execute()
    await put(other.value)
    const { trace } = await asked(ANNA, calling({ number: 'A-1' }), { text: 'No.' })
    expect(trace.tools).toMatchObject([{ http: { failure: 'secret_missing' } }])
    await put(own.value)
  })
})

describe('a tool', () => {
  it('has a name of its own', async () => {
    const create = (name: string) => person.http.mutation(api.tools.create, { tool: tool({ name }) })
    await expect(create('order_status')).rejects.toMatchObject({ data: { code: 'tool_name_taken' } })
    await expect(create('hand_off')).rejects.toMatchObject({
      data: { code: 'tool_invalid', params: { problem: 'name_reserved' } },
    })
  })

  it('sends no secret of another organization, and is none of its tools', async () => {
    const other = await app.signUp()
    await expect(other.http.mutation(api.tools.create, { tool: tool() })).rejects.toMatchObject({
      data: { code: 'not_found' },
    })
    const { _id } = await other.http.mutation(api.agents.create, { name: 'Thief', model: 'openai/gpt-5-mini' })
    const patch = { functions: { off: [], tools: [toolId] } }
    await other.http.mutation(api.agents.update, { id: _id, patch })
    const first = openai.requests.length
    openai.reply((_request, index) => (index === first ? calling({ number: 'A-1' }) : { text: 'No.' }))
    await other.http.mutation(api.testChat.send, { agentId: _id, text: 'Where is my order?' })
    await app.settle()
    expect(shop.calls).toEqual([])
  })

  it('is tried with a recorded example, which stands for the customer in the test chat', async () => {
    const example = await person.http.action(api.tools.test, {
      ...{ toolId, arguments: { number: 'A-1' }, bound: { phone: ANNA } },
    })
    expect(example).toMatchObject({ status: 200, failure: null, result: expect.stringContaining('"state":"sent"') })
    const first = openai.requests.length
    openai.reply((_request, index) => (index === first ? calling({ number: 'A-1' }) : { text: 'It was sent.' }))
    await person.http.mutation(api.testChat.send, { agentId, text: 'Where is my order?' })
    await app.settle()
    expect(shop.calls.map(({ query }) => query)).toEqual([{ phone: ANNA }, { phone: ANNA }])
    const wrong = person.http.action(api.tools.test, { toolId, arguments: { number: 'A-1' }, bound: {} })
    await expect(wrong).rejects.toMatchObject({ data: { code: 'invalid_arguments' } })
  })

  it('shows its calls and failures among the functions of the agent', async () => {
    await asked(ANNA, calling({ number: 'A-1' }), { text: 'It was sent.' })
    shop.fail(true)
    await asked(ANNA, calling({ number: 'A-1' }), { text: 'It does not work.' })
    const functions = await person.http.query(api.agentFunctions.overview, { agentId })
    const own = functions.find(({ name }) => name === 'order_status')
    expect(own).toMatchObject({ kind: 'http', isOn: true, toolId, costMicroUsd: null })
    expect(own?.failures).toBeGreaterThan(0)
    const calls = await person.http.query(api.agentFunctions.calls, { agentId, name: 'order_status' })
    expect(calls.slice(0, 2)).toMatchObject([{ hasFailed: true }, { hasFailed: false }])
    expect(functions.map(({ name }) => name).slice(0, 6)).toEqual([
      ...['knowledge', 'tables', 'webSearch', 'calendar', 'handoff', 'choices'],
    ])
  })
})
