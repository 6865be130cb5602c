// Strangers who write in web chats: how many of one address, one site and one organization may cost an answer.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  WEBCHAT_ADDRESS_NEW_VISITORS,
  WEBCHAT_ORGANIZATION_ANSWERS_PER_HOUR,
  WEBCHAT_SITE_NEW_VISITORS_PER_HOUR,
} from '#shared/channels/visitor-ceilings.ts'
import type { VisitorSession } from '#shared/channels/webchat.ts'
import { api } from '#tests/app.ts'
import { echo } from '#tests/pipeline-world.ts'
import { type Shop, Stage } from './stage.ts'

const texts = { greeting: '', offline: '' }
const WIDGET = {
  title: 'Shop',
  color: '#2f5d50',
  position: 'right' as const,
  domains: [],
  hasAvatar: false,
  takesFiles: true,
  texts: { ru: texts, en: texts },
}

let stage: Stage
let asked: number

beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())
beforeEach(() => {
  asked = 0
  stage.model = (request) => {
    asked += 1
    return echo(request)
  }
})

/** A shop with a web chat in place of its bot. */
async function openSite(): Promise<Shop & { key: string }> {
  const shop = await stage.openShop()
  const { _id: connectionId, externalAccountId: key } = await shop.owner.http.action(api.channels.webchat.provision, {
    agentId: shop.agentId,
    widget: WIDGET,
  })
  return { ...shop, connectionId, key }
}

function post(path: string, body: object, headers: Record<string, string>) {
  return fetch(`${stage.app.url}/api/webchat/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** A new visitor writes. @returns the answer, and a way to write again as that visitor */
async function writeAsNew(key: string, address: string, text = 'Hello') {
  const headers = { 'x-forwarded-for': address }
  const { token } = (await (await post(`${key}/session`, {}, headers)).json()) as VisitorSession
  const write = (words: string) =>
    post(
      `${key}/messages`,
      { id: randomUUID(), text: words, language: 'en' },
      { ...headers, authorization: `Bearer ${token}` },
    )
  return { answer: await write(text), write }
}

const randomAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 254) + 1).join('.')}`

/** Records this many visitors within the hour. */
async function fill(
  shop: Shop,
  of: 'site' | 'organization',
  counts: { new_visitors: number; answers: number },
): Promise<void> {
  const hour = new Date()
  hour.setUTCMinutes(0, 0, 0)
  const connection_id = of === 'site' ? shop.connectionId : ('' as const)
  await stage.app.database.system('test: fill the hour', (db) =>
    db
      .insertInto('visitor_counts')
      .values({ organization_id: shop.organizationId, connection_id, hour, ...counts })
      .execute(),
  )
}

async function newestChat({ connectionId }: Shop): Promise<string> {
  const { external_chat_id: chat } = await stage.app.database.system('test: look', (db) =>
    db
      .selectFrom('conversations')
      .where('connection_id', '=', connectionId)
      .orderBy('created_at', 'desc')
      .select('external_chat_id')
      .executeTakeFirstOrThrow(),
  )
  return chat ?? ''
}

it('an address may open only so many new sessions at once, across its whole network', async () => {
  const { key } = await openSite()
  const answers = []
  for (let i = 0; i < WEBCHAT_ADDRESS_NEW_VISITORS + 10; i++) {
    answers.push((await writeAsNew(key, `2001:db8:7:1:${i}::${i}`)).answer)
  }
  await stage.app.settle()
  const refused = answers.filter(({ status }) => status !== 204)
  expect(asked).toBeLessThanOrEqual(WEBCHAT_ADDRESS_NEW_VISITORS + 1)
  expect(refused.length).toBeGreaterThanOrEqual(9)
  expect(await refused[0]?.json()).toMatchObject({ code: 'rate_limited', params: { retryAfterMs: 60_000 } })
  expect((await writeAsNew(key, '2001:db8:7:2::1')).answer.status).toBe(204)
})

it('an existing visitor can continue alongside them', async () => {
  const { key } = await openSite()
  const { write } = await writeAsNew(key, '192.0.2.7')
  for (let i = 0; i < WEBCHAT_ADDRESS_NEW_VISITORS + 5; i++) await writeAsNew(key, '::ffff:192.0.2.7')
  expect((await writeAsNew(key, '192.0.2.7')).answer.status).toBe(429)
  expect((await write('And this?')).status).toBe(204)
  await stage.app.settle()
})

it('a new visitor beyond the hourly limit of a site gets one notice to wait, and the team sees why', async () => {
  const shop = await openSite()
  await fill(shop, 'site', { new_visitors: WEBCHAT_SITE_NEW_VISITORS_PER_HOUR, answers: 0 })
  const { write } = await writeAsNew(shop.key, randomAddress(), 'Здравствуйте')
  await stage.app.settle()
  await write('Вы тут?')
  await stage.app.settle()
  expect(asked).toBe(0)
  const chat = await newestChat(shop)
  const notices = (await stage.messages(shop, chat)).filter(({ author }) => author === 'agent').map(({ text }) => text)
  expect(notices).toEqual([expect.stringMatching(/write again in an hour/)])
  await stage.expectExplained(shop, chat, {
    outcome: 'visitors_limit',
    stoppedAt: 'visitors',
    facts: { siteNewVisitorsLimit: WEBCHAT_SITE_NEW_VISITORS_PER_HOUR },
    lines: ['visitors_limit', 'visitors_limit'],
  })
})

it('an organization has a ceiling over all of its sites', async () => {
  const shop = await openSite()
  await fill(shop, 'organization', { new_visitors: 0, answers: WEBCHAT_ORGANIZATION_ANSWERS_PER_HOUR })
  await writeAsNew(shop.key, randomAddress())
  await stage.app.settle()
  expect(asked).toBe(0)
  await stage.expectExplained(shop, await newestChat(shop), {
    outcome: 'visitors_limit',
    stoppedAt: 'visitors',
    facts: { organizationAnswers: WEBCHAT_ORGANIZATION_ANSWERS_PER_HOUR + 1 },
    lines: ['visitors_limit'],
  })
  const other = await openSite()
  await writeAsNew(other.key, randomAddress())
  await stage.app.settle()
  expect(asked).toBe(1)
})

it('an upload ticket sends one message, which may be retried', async () => {
  const { key } = await openSite()
  const headers = { 'x-forwarded-for': randomAddress() }
  const { token } = (await (await post(`${key}/session`, {}, headers)).json()) as VisitorSession
  const own = { ...headers, authorization: `Bearer ${token}` }
  const address = `${stage.app.url}/api/webchat/${key}/files?name=once.txt`
  const uploaded = await fetch(address, { method: 'POST', headers: own, body: new Uint8Array(Buffer.from('Once')) })
  const { ticket } = (await uploaded.json()) as { ticket: string }
  const send = (id: string) => post(`${key}/messages`, { id, text: 'Here', language: 'en', files: [ticket] }, own)
  const first = randomUUID()
  expect([(await send(first)).status, (await send(first)).status]).toEqual([204, 204])
  const again = await send(randomUUID())
  expect([again.status, await again.json()]).toMatchObject([400, { code: 'upload_expired' }])
  await stage.app.settle()
})
