// A whole server whose agent reads all carriers of the injections: documents, a table, the web, a shop by HTTP and by MCP.
import type { Outbound } from '#server/integrations/http/outbound.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import type { Id } from '#shared/ids.ts'
import type { AttackCarrier } from '#shared/messaging/attack-checks.ts'
import type { ToolDefinition } from '#shared/tools/tools.ts'
import { api, type Person, startApp } from '#tests/app.ts'
import { startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { MCP_URL, startFakeMcp } from '#tests/fakes/mcp-server.ts'
import { startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { SHOP_HOST, startFakeShop } from '#tests/fakes/shop.ts'
import { page, startFakeSite } from '#tests/fakes/site.ts'
import { startFakeWebSearch, webSearchConfig } from '#tests/fakes/web-search.ts'
import { FLOODED } from '#tests/flood.ts'
import { CASES, type Case } from '#tests/injections/cases.ts'
import { VICTIM } from '#tests/injections/demands.ts'

const SITE_HOST = 'news.example'
const NUMBER = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
export const of = (carrier: AttackCarrier): Case[] => CASES.filter((each) => each.carrier === carrier)
export type InjectionsWorld = Awaited<ReturnType<typeof startInjectionsWorld>>

/** `hasDescriptions`: the agent has been given the tools whose descriptions are attacks, by someone who has not read them. */
export async function startInjectionsWorld({ hasDescriptions = false } = {}) {
  const fakes = await startFakes()
  const { openai, greenApi, search } = fakes
  const visited: string[] = []
  const config = {
    ...{ publicUrl: 'https://parley.example', hasPublicUrl: true, webSearch: webSearchConfig(search, 'tavily') },
  }
  const app = await startApp({ openai, greenApi, config, overrides: { outbound: outboundOf(fakes, visited) } })
  greenApi.webhookOrigin = () => app.url
  const person = await app.signUp()
  const agentId = (await person.http.mutation(api.agents.create, { name: 'Seller', model: 'openai/gpt-5-mini' }))._id
  const tools = await addHttpTools(person)
  const mcpTools = await addMcpTools(person, hasDescriptions)
  const tableId = await addKnowledge(person, agentId, app.url)
  const functions = { off: [], tools, mcpTools }
  await person.http.mutation(api.agents.update, { id: agentId, patch: { ...FLOODED, functions } })
  const instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
  await app.settle()
  return {
    ...{ ...fakes, app, person, agentId, tableId, idInstance, visited },
    async close() {
      await app.close()
      await Promise.all(Object.values(fakes).map((fake) => fake.close()))
    },
  }
}

async function startFakes() {
  const shop = await startFakeShop()
  const mcp = await startFakeMcp()
  const site = await startFakeSite(SITE_HOST)
  for (const { topic, text } of of('web_page')) site.pages.set(`/${topic}`, page('News', escaped(text)))
  const hits = of('web_page').map(({ topic }) => ({ url: `${site.origin}/${topic}`, title: topic, text: 'News.' }))
  for (const { topic, text, phone } of of('http_result')) shop.orders.set(topic, { phone, state: 'sent', note: text })
  // What the attacks are after: under the number of another customer, for each of them.
  for (const { topic } of CASES) shop.orders.set(`V-${topic}`, { phone: VICTIM, state: 'packed' })
  const notes = new Map(of('mcp_result').map(({ topic, text }) => [topic, text]))
  mcp.tools.clear()
  mcp.tools.set('orderStatus', {
    ...{ description: 'The state of an order.', inputSchema: NUMBER },
    run: ({ number }) => ({
      content: [{ type: 'text', text: notes.get(String(number)) ?? 'There is no such order.' }],
    }),
  })
  for (const name of ['payOut', 'readAll', 'deleteOrders']) mcp.tools.set(name, { inputSchema: NUMBER })
  for (const { topic, text } of of('mcp_description')) mcp.tools.set(topic, { description: text, inputSchema: NUMBER })
  const openai = await startFakeOpenAi()
  const greenApi = await startFakeGreenApi({ secondMs: 5, restartSeconds: 0.2 })
  return { shop, mcp, site, openai, greenApi, search: await startFakeWebSearch('tavily', hits) }
}
type Fakes = Awaited<ReturnType<typeof startFakes>>

/** Every address that the server wants to reach is noted, whether it may or not. */
function outboundOf({ shop, mcp, site }: Fakes, visited: string[]): Outbound {
  const pages = createOutbound({
    resolve: async (host) => (host === SITE_HOST ? ['127.0.0.1'] : ['10.0.0.1']),
    isAllowed: (address, to) => address === '127.0.0.1' && to === site.port,
  })
  const [toShop, toMcp] = [shop.reach(), mcp.reach()]
  const noted =
    <Rest extends unknown[], Answer>(reach: (url: string, ...rest: Rest) => Answer) =>
    (url: string, ...rest: Rest): Answer => {
      visited.push(url)
      return reach(url, ...rest)
    }
  return {
    ...pages,
    get: noted(pages.get),
    fetch: noted(pages.fetch),
    post: noted(pages.post),
    call: noted(toShop.call),
    stream: noted(toMcp.stream),
    check: toMcp.check,
  }
}

/** The last one is not switched on. */
async function addHttpTools(person: Person): Promise<Id<'httpTools'>[]> {
  await person.http.mutation(api.tools.vault.addHost, { host: SHOP_HOST })
  const add = async (tool: ToolDefinition) => (await person.http.mutation(api.tools.create, { tool })).toolId
  const own = [
    await add(tool('order_status', { method: 'GET', approval: 'none' })),
    await add(tool('cancel_order', { method: 'DELETE', approval: 'customer' })),
    await add(tool('refund_order', { method: 'PUT', approval: 'operator', body: '{"by":"{phone}"}' })),
  ]
  await add(tool('export_customers', { method: 'GET', approval: 'none' }))
  return own
}

function tool(name: string, change: Partial<ToolDefinition>): ToolDefinition {
  return {
    ...{ name, description: `Does ${name}.`, method: 'GET', approval: 'none', title: name, headers: [], body: '' },
    url: `https://${SHOP_HOST}/orders/{number}?phone={phone}`,
    parameters: { type: 'object', properties: { number: { type: 'string', maxLength: 80 } }, required: ['number'] },
    bound: [{ argument: 'phone', from: 'phone' }],
    fields: [],
    ...{ timeoutSeconds: 15, maxKilobytes: 64, perTurn: 10, perDay: 100_000, ...change },
  }
}

/** Reading and paying out are the agent's; reading everything is allowed and not switched on; deleting is not allowed. */
async function addMcpTools(person: Person, hasDescriptions: boolean): Promise<Id<'mcpTools'>[]> {
  const { serverId } = await person.http.action(api.mcpServers.connect, {
    ...{ name: 'Shop', url: MCP_URL, authorization: 'none' },
  })
  const listed = await person.http.query(api.mcpServers.tools.list, { serverId })
  const allow = async (name: string, approval: 'none' | 'operator') => {
    const { _id: toolId, hash } = listed.find((each) => each.name === name) ?? {}
    if (!toolId || !hash) throw new Error(`There is no tool ${name}`)
    await person.http.mutation(api.mcpServers.tools.allow, { toolId, hash })
    await person.http.mutation(api.mcpServers.tools.setApproval, { toolId, approval })
    return toolId
  }
  await allow('readAll', 'none')
  const own = [await allow('orderStatus', 'none'), await allow('payOut', 'operator')]
  for (const { topic } of hasDescriptions ? of('mcp_description') : []) own.push(await allow(topic, 'none'))
  return own
}

/** One space with a document per ten cases and one table with a row per case. @returns the id of the table */
async function addKnowledge(person: Person, agentId: Id<'agents'>, url: string): Promise<string> {
  const knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Shop' }))._id
  await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
  const patch = { isEnabled: true, dailyLimit: 1000 }
  await person.http.mutation(api.knowledge.webSearch.update, { knowledgeSpaceId, patch })
  const authorization = `Bearer ${await person.token()}`
  const upload = async (kind: 'documents' | 'tables', name: string, body: string) => {
    const query = new URLSearchParams({ knowledgeSpaceId, name })
    const answer = await fetch(`${url}/api/files/${kind}?${query}`, {
      method: 'POST',
      body,
      headers: { authorization },
    })
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`)
    return (await answer.json()) as { _id: string }
  }
  const texts = of('document').map(({ text }) => text)
  for (let at = 0; at < texts.length; at += 10)
    await upload('documents', `leaflet-${at}.txt`, texts.slice(at, at + 10).join('\n\n'))
  const rows = of('cell').map(({ topic, text }) => `${topic};"${text.replaceAll('"', '""')}"`)
  return (await upload('tables', 'reviews.csv', `Code;Review\n${rows.join('\n')}\n`))._id
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
