// Tools that change something: an order is cancelled only after the customer has confirmed it, or the team has approved it, and never twice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approvalsJob, approvedCallJob } from '#server/domain/messaging/approvals/approved-calls.job.ts'
import type { Id } from '#shared/ids.ts'
import type { ToolApproval } from '#shared/tools/approvals.ts'
import type { ToolApprovalRule, ToolDefinition } from '#shared/tools/tools.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeShop, SHOP_HOST, startFakeShop } from '#tests/fakes/shop.ts'

const PROCESS = path.join(import.meta.dirname, 'approved-call.process.ts')
const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const NO_SIGNAL = new AbortController().signal
const ANNA = '77010000001'
const ASKED = { toolCalls: [{ name: 'cancel_order', arguments: '{"number":"A-1"}' }] } satisfies FakeReply
const QUESTION = 'Please confirm: Cancel an order\nnumber: A-1\nShall we go ahead?'
let shop: FakeShop
let openai: FakeOpenAi
let greenApi: FakeGreenApi
let app: TestApp
let person: Person
let instance: FakeInstance
let agentId: Id<'agents'>
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
  const spam = { agentDailyLimit: null, customerDailyLimit: null, warningPercent: 80, text: '' }
  await person.http.mutation(api.agents.update, { id: agentId, patch: { spam, machineTalk: { isOn: false } } })
  instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
  await person.http.mutation(api.tools.vault.addHost, { host: SHOP_HOST })
  toolId = (await person.http.mutation(api.tools.create, { tool: tool('customer') })).toolId
  const functions = { off: [], tools: [toolId], mcpTools: [] }
  await person.http.mutation(api.agents.update, { id: agentId, patch: { functions } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([shop.close(), openai.close(), greenApi.close()])
})
beforeEach(() => {
  shop.calls.length = 0
  shop.cancelled.length = 0
  shop.fail(false)
  shop.mute(false)
})

function tool(approval: ToolApprovalRule, change: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    ...{ name: 'cancel_order', description: 'Cancels an order.', method: 'DELETE', approval, title: 'Cancel an order' },
    url: `https://${SHOP_HOST}/orders/{number}?phone={phone}`,
    headers: [],
    parameters: { type: 'object', properties: { number: { type: 'string', maxLength: 40 } }, required: ['number'] },
    bound: [{ argument: 'phone', from: 'phone' }],
    body: '',
    fields: [{ name: 'state', pointer: '/order/state' }],
    ...{ timeoutSeconds: 1, maxKilobytes: 64, perTurn: 5, perDay: 1000, ...change },
  }
}
const decidedBy = (approval: ToolApprovalRule, change: Partial<ToolDefinition> = {}) =>
  person.http.mutation(api.tools.update, { toolId, tool: tool(approval, change) })

let customers = 0
/** A customer of a number; order A-1 is Anna's. */
function newCustomer(phone = ANNA) {
  const name = `Anna ${++customers}`
  return {
    phone,
    /** Says something, and hears the agent's answer. */
    async says(text: string, ...replies: FakeReply[]): Promise<string> {
      const first = openai.requests.length
      openai.reply((_request, index) => replies[Math.min(index - first, replies.length - 1)] ?? {})
      const before = sentTo(phone).length
      greenApi.customerSays(instance.idInstance, { phone, name }, text)
      await greenApi.waitForSent(phone, before + 1)
      await app.settle()
      return sentTo(phone).slice(before).join('\n')
    },
  }
}
const sentTo = (phone: string) =>
  greenApi.sent.filter(({ chatId }) => chatId.startsWith(phone)).map(({ text }) => text ?? '')
const anna = newCustomer()
const asksToCancel = () => anna.says('Please cancel my order now', ASKED, { text: 'I can do that.' })
const lastPrompt = () => JSON.stringify(openai.requests.at(-1))

async function approvals(): Promise<ToolApproval[]> {
  const { page } = await person.http.query(api.conversations.list, PAGE)
  const conversationId = page.find(({ customer }) => customer?.name?.startsWith('Anna'))?._id as Id<'conversations'>
  return person.http.query(api.conversations.approvals.list, { conversationId })
}
const latest = async () => (await approvals()).at(-1) as ToolApproval

describe('what the customer has to confirm', () => {
  beforeEach(() => decidedBy('customer'))

  it('is asked in words of the server, and carried out once they agree', async () => {
    const asked = await asksToCancel()
    expect(asked).toContain(`I can do that.\n\n${QUESTION}`)
    expect(asked).toContain('1. Yes, I confirm\n2. No')
    expect(lastPrompt()).toContain('Some tools change something')
    expect(shop.calls).toEqual([])
    expect(await latest()).toMatchObject({ by: 'customer', status: 'waiting', arguments: { number: 'A-1' } })

    const answer = await anna.says('Yes, I confirm', { text: 'Anything else?' })
    expect(answer).toContain('Cancel an order: done.\n\nAnything else?')
    const { _id } = await latest()
    expect(shop.cancelled).toEqual([{ number: 'A-1', key: _id }])
    expect(lastPrompt()).toContain('carried out')
    expect(await latest()).toMatchObject({ status: 'done', result: '{"state":"cancelled"}' })

    await anna.says('yes', { text: 'Yes?' })
    expect(shop.cancelled).toHaveLength(1)
    expect(sentTo(ANNA).filter((text) => text.includes('Cancel an order: done.'))).toHaveLength(1)
  })

  it.each([
    ['Wait, how much does it cost?', 'withdrawn'],
    ['yes but only the second one', 'withdrawn'],
    ['No', 'declined'],
  ])('is not carried out after “%s”', async (text, status) => {
    await asksToCancel()
    await anna.says(text, { text: 'Fine.' })
    expect(await latest()).toMatchObject({ status })
    await anna.says('yes', { text: 'Yes?' })
    expect(shop.calls).toEqual([])
  })

  it('is not asked for again by a model that calls on once it is done, and is when the customer wants another', async () => {
    await asksToCancel()
    const answer = await anna.says('Yes, I confirm', ASKED, { text: 'Anything else?' })
    expect(answer).toBe('Cancel an order: done.\n\nAnything else?')
    expect(shop.cancelled).toHaveLength(1)
    expect(await anna.says('Once more please', ASKED, { text: 'I can do that.' })).toContain(QUESTION)
    await anna.says('No', { text: 'All right.' })
    expect(shop.cancelled).toHaveLength(1)
  })

  it('is not carried out by a model that takes itself for the customer', async () => {
    const answer = await anna.says('Cancel it, I have said yes already', ASKED, ASKED, {
      text: 'The order is cancelled.',
    })
    expect(shop.calls).toEqual([])
    expect(answer).toContain(QUESTION)
    expect((await approvals()).filter(({ status }) => status === 'waiting')).toHaveLength(1)
  })

  it('asks for nothing where the answer does not go out', async () => {
    const { guards } = await person.http.query(api.agents.get, { id: agentId })
    const answers = { phrases: ['cancelled for you'], action: 'text' as const, text: 'Ask a colleague.' }
    await person.http.mutation(api.agents.update, { id: agentId, patch: { guards: { ...guards, answers } } })
    const known = (await approvals()).length
    const heard = await anna.says('Please cancel my order', ASKED, { text: 'It is cancelled for you.' })
    await person.http.mutation(api.agents.update, { id: agentId, patch: { guards } })
    expect(heard).not.toContain('Please confirm')
    expect((await approvals()).length).toBe(known)
  })

  it('is not carried out when someone else has written since the question', async () => {
    await asksToCancel()
    const { conversationId } = await latest()
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Shall I call you back?' })
    await person.http.mutation(api.conversations.resume, { conversationId })
    await app.settle()
    await anna.says('Yes', { text: 'Fine.' })
    expect(await latest()).toMatchObject({ status: 'withdrawn' })
    expect(shop.calls).toEqual([])
  })

  it('is uncertain when no answer comes, is called that, and never sent again', async () => {
    await asksToCancel()
    shop.mute(true)
    const answer = await anna.says('Yes', { text: 'I see.' })
    expect(answer).toContain('Cancel an order: the result is not known yet.')
    expect(await latest()).toMatchObject({ status: 'uncertain', failure: 'timeout' })
    expect(lastPrompt()).toContain('Do not repeat it')
    expect(shop.cancelled).toHaveLength(1)
  })

  it('is not carried out by a tool that was changed after the question', async () => {
    await asksToCancel()
    await decidedBy('customer', { url: `https://${SHOP_HOST}/search/{number}?phone={phone}` })
    const answer = await anna.says('Yes', { text: 'I see.' })
    expect(answer).toContain('this did not work')
    expect(await latest()).toMatchObject({ status: 'failed', failure: 'tool_changed' })
    expect(shop.calls).toEqual([])
  })

  it('changes nothing of another customer', async () => {
    const boris = newCustomer('77010000002')
    await boris.says('Cancel order A-1 please', ASKED, { text: 'I can.' })
    const answer = await boris.says('Yes', { text: 'I see.' })
    expect(answer).toContain('this did not work')
    expect(shop.cancelled).toEqual([])
  })
})

describe('what the team has to approve', () => {
  beforeEach(() => decidedBy('operator'))
  const queue = async () => (await person.http.query(api.conversations.approvals.list, {})) as ToolApproval[]

  it('waits in the queue, is carried out once it is approved, and the customer hears of it', async () => {
    const answer = await anna.says('Please cancel my order', ASKED, { text: 'I have passed it on.' })
    expect(answer).not.toContain('confirm')
    const [waiting] = await queue()
    expect(waiting).toMatchObject({ by: 'operator', status: 'waiting', title: 'Cancel an order', agentName: 'Seller' })
    await anna.says('yes', { text: 'It waits.' })
    expect(shop.calls).toEqual([])

    const before = sentTo(ANNA).length
    const approvalId = waiting?._id as Id<'toolApprovals'>
    await person.http.mutation(api.conversations.approvals.approve, { approvalId })
    await greenApi.waitForSent(ANNA, before + 1)
    await app.settle()
    expect(shop.cancelled).toEqual([{ number: 'A-1', key: approvalId }])
    expect(sentTo(ANNA).at(-1)).toBe('Cancel an order: done.')
    expect(await latest()).toMatchObject({ status: 'done', decidedBy: expect.any(String) })
    await expect(person.http.mutation(api.conversations.approvals.approve, { approvalId })).rejects.toThrow(
      'does not wait',
    )
    await approvedCallJob.run(app.services, { organizationId: person.organization._id, id: approvalId }, NO_SIGNAL)
    expect(shop.cancelled).toHaveLength(1)
  })

  it('alerts the team until it is decided, and is not carried out when it is declined', async () => {
    await anna.says('Please cancel my order', ASKED, { text: 'I have passed it on.' })
    const alerts = async () => {
      await app.settle()
      return (await person.http.query(api.alerts.list, {})).map(({ kind, event, name }) => ({ kind, event, name }))
    }
    expect(await alerts()).toEqual([{ kind: 'handoff', event: 'approvalWaiting', name: 'Anna 1' }])
    const approvalId = (await latest())._id
    await person.http.mutation(api.conversations.approvals.decline, { approvalId })
    expect(await alerts()).toEqual([])
    expect(shop.calls).toEqual([])
    const answer = await anna.says('What about it?', { text: 'That is all.' })
    expect(answer).toContain('Cancel an order: this cannot be done.\n\nThat is all.')
  })

  it('is asked for once, however often the model asks', async () => {
    await anna.says('Please cancel my order', ASKED, ASKED, { text: 'I have passed it on.' })
    await anna.says('Please cancel it', ASKED, { text: 'I have passed it on.' })
    expect((await queue()).filter(({ status }) => status === 'waiting')).toHaveLength(1)
    await person.http.mutation(api.conversations.approvals.decline, { approvalId: (await latest())._id })
  })

  it('runs out, and what a server has left in the middle is uncertain', async () => {
    await anna.says('Please cancel my order', ASKED, { text: 'I have passed it on.' })
    const { _id } = await latest()
    const set = (values: object) =>
      app.database.system('test', (db) => db.updateTable('tool_approvals').set(values).where('id', '=', _id).execute())
    await set({ expires_at: new Date(Date.now() - 1000) })
    await expect(person.http.mutation(api.conversations.approvals.approve, { approvalId: _id })).rejects.toThrow(
      'does not wait',
    )
    await approvalsJob.run(app.services, {}, NO_SIGNAL)
    expect(await latest()).toMatchObject({ status: 'expired' })
    const old = new Date(Date.now() - 600_000)
    await set({ status: 'running', begun_at: old, decided_at: old, owes_word: false })
    const before = sentTo(ANNA).length
    await approvalsJob.run(app.services, {}, NO_SIGNAL)
    await greenApi.waitForSent(ANNA, before + 1)
    expect(await latest()).toMatchObject({ status: 'uncertain' })
    expect(sentTo(ANNA).at(-1)).toContain('the result is not known yet')
    expect(shop.calls).toEqual([])
  })

  it('is not seen or decided by another organization', async () => {
    await anna.says('Please cancel my order', ASKED, { text: 'I have passed it on.' })
    const approvalId = (await latest())._id
    const other = await app.signUp()
    expect(await other.http.query(api.conversations.approvals.list, {})).toEqual([])
    await expect(other.http.mutation(api.conversations.approvals.approve, { approvalId })).rejects.toThrow(
      'does not wait',
    )
    expect(await latest()).toMatchObject({ status: 'waiting' })
  })
})

describe('a server that is killed while it carries out what was approved', () => {
  beforeEach(() => decidedBy('operator'))

  it.each(['approved-call-begun', 'approved-call-made'])(
    'at %s leaves it uncertain, and no other calls again',
    async (at) => {
      await anna.says('Please cancel my order', ASKED, { text: 'I have passed it on.' })
      const { _id: id } = await latest()
      const set = (values: object) =>
        app.database.system('test', (db) => db.updateTable('tool_approvals').set(values).where('id', '=', id).execute())
      await set({ status: 'approved', decided_at: new Date(), owes_word: true })
      await dieAt(at, id)
      expect(shop.cancelled).toHaveLength(at === 'approved-call-made' ? 1 : 0)
      const before = sentTo(ANNA).length
      const call = { organizationId: person.organization._id, id }
      await approvedCallJob.run(app.services, call, NO_SIGNAL)
      await approvalsJob.run(app.services, {}, NO_SIGNAL)
      expect(await latest()).toMatchObject({ status: 'running' })
      const old = new Date(Date.now() - 600_000)
      await set({ begun_at: old, decided_at: old })
      await Promise.all([approvalsJob.run(app.services, {}, NO_SIGNAL), approvalsJob.run(app.services, {}, NO_SIGNAL)])
      await greenApi.waitForSent(ANNA, before + 1)
      await app.settle()
      expect(await latest()).toMatchObject({ status: 'uncertain' })
      expect(sentTo(ANNA).slice(before)).toEqual([expect.stringContaining('the result is not known yet')])
      expect(shop.cancelled).toHaveLength(at === 'approved-call-made' ? 1 : 0)
    },
  )
})

/** Has another server take the call, and die there. */
async function dieAt(at: string, id: Id<'toolApprovals'>): Promise<void> {
  const { databaseUrl } = app.config
  const secret = 'of a tool without secrets, 32 letters'
  const given = { databaseUrl, secret, shopPort: shop.port, call: { id, organizationId: person.organization._id }, at }
  const child = spawn(process.execPath, [PROCESS], {
    env: { PATH: process.env.PATH, APPROVED_CALL: JSON.stringify(given) },
    stdio: 'inherit',
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

it('changes nothing in the test chat', async () => {
  await decidedBy('customer')
  await person.http.action(api.tools.test, { toolId, arguments: { number: 'A-1' }, bound: { phone: ANNA } })
  const called = shop.cancelled.length
  openai.reply((_request, index) => (index % 2 === 0 ? ASKED : { text: 'It was only a test.' }))
  await person.http.mutation(api.testChat.send, { agentId, text: 'Cancel my order A-1', variant: 'a' })
  await app.settle()
  expect(shop.cancelled.length).toBe(called)
})
