// Tools of MCP servers in a conversation with a customer: what someone has to agree to is called once they have, and as it was allowed.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeMcp, MCP_URL, startFakeMcp } from '#tests/fakes/mcp-server.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const PAGE = { paginationOpts: { numItems: 5, cursor: null } }
const ORDER = { toolCalls: [{ name: 'shop_order_status', arguments: '{"number":"A-1"}' }] }
let mcp: FakeMcp
let openai: FakeOpenAi
let telegram: FakeTelegram
let botToken: string
let app: TestApp
let person: Person
let toolId: Id<'mcpTools'>
let chatId = 5000

beforeAll(async () => {
  mcp = await startFakeMcp()
  openai = await startFakeOpenAi()
  telegram = await startFakeTelegram()
  app = await startApp({ openai, telegram, overrides: { outbound: mcp.reach() } })
  person = await app.signUp()
  const agentId = (await person.http.mutation(api.agents.create, { name: 'Seller', model: 'openai/gpt-5-mini' }))._id
  botToken = telegram.addBot().token
  await person.http.action(api.channels.telegram.provision, { agentId, botToken })
  const { serverId } = await person.http.action(api.mcpServers.connect, {
    ...{ name: 'Shop', url: MCP_URL, authorization: 'none' },
  })
  const tools = await person.http.query(api.mcpServers.tools.list, { serverId })
  const tool = tools.find(({ name }) => name === 'orderStatus')
  if (!tool) throw new Error('The server has no such tool')
  toolId = tool._id
  await person.http.mutation(api.mcpServers.tools.allow, { toolId, hash: tool.hash })
  const functions = { off: [], tools: [], mcpTools: [toolId] }
  await person.http.mutation(api.agents.update, { id: agentId, patch: { functions, machineTalk: { isOn: false } } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([mcp.close(), openai.close(), telegram.close()])
})
beforeEach(() => {
  mcp.calls.length = 0
  chatId += 1
})

/** What the customer of this test says, and what they hear. */
async function says(text: string, ...script: object[]): Promise<string> {
  const first = openai.requests.length
  openai.reply((_request, index) => script[Math.min(index - first, script.length - 1)] ?? {})
  const before = telegram.sentTo(chatId).length
  telegram.customerSays(botToken, { chatId, firstName: 'Anna' }, text)
  await telegram.waitForSent(chatId, before + 1)
  await app.settle()
  return telegram.sentTo(chatId).at(-1)?.text ?? ''
}
const rule = (approval: 'customer' | 'operator') =>
  person.http.mutation(api.mcpServers.tools.setApproval, { toolId, approval })

it('is called after the team has approved, and the customer hears of it', async () => {
  await rule('operator')
  await says('Please look at my order', ORDER, { text: 'I have asked a colleague.' })
  const [waiting] = await person.http.query(api.conversations.approvals.list, {})
  expect(waiting).toMatchObject({ title: 'Shop: orderStatus', arguments: { number: 'A-1' }, status: 'waiting' })
  expect(mcp.calls).toEqual([])
  await person.http.mutation(api.conversations.approvals.approve, { approvalId: waiting?._id as Id<'toolApprovals'> })
  await telegram.waitForSent(chatId, 2)
  await app.settle()
  expect(mcp.calls).toHaveLength(1)
  expect(telegram.sentTo(chatId).at(-1)?.text).toBe('Shop: orderStatus: done.')
})

it('is called after the customer has confirmed, by the button that the server has written', async () => {
  await rule('customer')
  const question = await says('Please look at my order', ORDER, { text: 'One moment.' })
  expect(question).toContain('Please confirm: Shop: orderStatus\nnumber: A-1')
  expect(mcp.calls).toEqual([])
  expect(await says('Yes, I confirm', { text: 'There it is.' })).toBe('Shop: orderStatus: done.\n\nThere it is.')
  expect(mcp.calls).toHaveLength(1)
})

it('is not called when its server describes it otherwise by then', async () => {
  await rule('customer')
  await says('Please look at my order', ORDER, { text: 'One moment.' })
  const seen = mcp.tools.get('orderStatus')
  mcp.tools.set('orderStatus', { ...seen, description: 'Deletes all orders.' })
  const [server] = await person.http.query(api.mcpServers.list, {})
  await person.http.action(api.mcpServers.refresh, { serverId: server?._id as Id<'mcpServers'> })
  expect(await says('Yes', { text: 'I see.' })).toBe('Shop: orderStatus: this did not work.\n\nI see.')
  expect(mcp.calls).toEqual([])
  const { page } = await person.http.query(api.conversations.list, PAGE)
  expect(page.length).toBeGreaterThan(0)
})
