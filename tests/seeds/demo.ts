// The demonstration's workspace: a hotel with three agents, two knowledge spaces, three Telegram bots, a WhatsApp number and ninety days of conversations.
// Everything that a person could do goes through the public contract; only the past is written directly.
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { FakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { type FakeSite, page } from '#tests/fakes/site.ts'
import type { FakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import type { DemoAgentKey } from './demo.dialogues.ts'
import { type DemoModels, HISTORY_DAYS, inventHistory } from './demo.history.ts'
import { DEMO_SITE, DEMO_SPACES, type DemoSpace } from './demo.knowledge.ts'
import { type DemoAgents, dressOrganization, insertHistory, listChats, listInstances } from './demo.store.ts'
import { type Credentials, call, idOf, type Session, signUp, uploadDocument, uploadTable } from './installation.ts'

/** The server refuses what can be guessed from the address, such as `demo-demo` of demo@parley.local. */
export const DEMO_PASSWORD = 'pine-shore-7'

/** Demo logins. The first is the platform's admin; the second finds an empty workspace. */
export const DEMO_LOGINS: (Credentials & { organization: string })[] = [
  {
    name: 'Мария Береговая',
    email: 'demo@parley.local',
    password: DEMO_PASSWORD,
    organization: 'Отель «Сосновый берег»',
  },
  { name: 'Alex Green', email: 'newcomer@parley.local', password: DEMO_PASSWORD, organization: 'Green & Co' },
]

/** The bots that BotFather would have made. */
export const DEMO_BOTS: Record<DemoAgentKey, { token: string; username: string; title: string }> = {
  support: {
    token: '7000001:demo_support_bot_of_the_pine_shore',
    username: 'pine_shore_help_bot',
    title: 'Служба гостей',
  },
  sales: {
    token: '7000002:demo_sales_bot_of_the_pine_shore__',
    username: 'pine_shore_sales_bot',
    title: 'Отдел продаж',
  },
  booking: {
    token: '7000003:demo_booking_bot_of_the_pine_shore',
    username: 'pine_shore_booking_bot',
    title: 'Booking desk',
  },
}

/** The bot that BotFather has just made, connected to nothing. */
export const DEMO_FREE_BOT = {
  token: '7000004:demo_free_bot_waits_for_its_agent__',
  username: 'my_first_agent_bot',
  title: 'Новый бот · New bot',
}

/** The installation's own bot, which alerts people of the team. */
export const DEMO_ALERT_BOT = {
  token: '7000005:demo_alert_bot_of_this_installation',
  username: 'parley_demo_alerts_bot',
  title: 'Оповещения · Alerts',
}
const ALL_BOTS = [...Object.values(DEMO_BOTS), DEMO_FREE_BOT, DEMO_ALERT_BOT]

/** The instances that GREEN-API's console would show: one with the hotel's phone, one that waits for a phone. */
export const DEMO_INSTANCES = {
  hotel: { idInstance: '7103000001', apiToken: 'd3m0'.repeat(12), phone: '79005550101', state: 'authorized' },
  spare: { idInstance: '7103000002', apiToken: 'c0de'.repeat(12), phone: '79005550202', state: 'notAuthorized' },
} as const

const DEMO_WIDGET = {
  title: 'Сосновый берег',
  color: '#2f5d50',
  position: 'right',
  hasAvatar: true,
  texts: {
    ru: { greeting: 'Здравствуйте! Спросите о номерах, завтраке или дороге.', offline: '' },
    en: { greeting: 'Hello! Ask about rooms, breakfast or the way here.', offline: '' },
  },
}

const DAY_MS = 86_400_000
const MODELS: DemoModels = {
  support: 'openai/gpt-5-mini',
  sales: 'openai/gpt-4.1-mini',
  booking: 'openai/gpt-5-mini',
}
const AGENTS: { key: DemoAgentKey; space: 'ru' | 'en'; name: string; systemPrompt: string; avatar: string }[] = [
  {
    key: 'support',
    space: 'ru',
    name: 'Служба гостей',
    avatar: 'gallery:thumbs:support',
    systemPrompt:
      'Ты помощник гостей отеля «Сосновый берег». Отвечай коротко, тепло и на «вы». Если вопрос требует человека (поломка, забытая вещь, жалоба), скажи, что передаёшь его администратору. Не выдумывай цены и правила.',
  },
  {
    key: 'sales',
    space: 'ru',
    name: 'Отдел продаж',
    avatar: 'gallery:shapes:sales',
    systemPrompt:
      'Ты менеджер отдела продаж отеля «Сосновый берег»: номера, мероприятия, свадьбы, сертификаты. Называй точные цены из базы знаний, предлагай следующий шаг и спрашивай дату и число гостей.',
  },
  {
    key: 'booking',
    space: 'en',
    name: 'Booking desk',
    avatar: 'gallery:rings:booking',
    systemPrompt:
      'You are the booking desk of Pine Shore Hotel. Answer guests from abroad in short, friendly English. Quote rates in roubles and mention that the front desk confirms live availability.',
  },
]

/** Where the demonstration runs. */
export type DemoPlace = {
  baseUrl: string
  /** Address of the hotel's own site. */
  siteUrl: string
  /** Host of the page that shows web chats. */
  webchatHost: string
  database: Database
  now: Date
  log(line: string): void
  /** Creates only the users, without a workspace. */
  isEmpty: boolean
}

/** Registers the bots and every known chat with the fake Telegram. Call it before the server polls. */
export function addDemoBots(telegram: FakeTelegram): void {
  for (const { token, username } of ALL_BOTS) telegram.addBot(token).username = username
}

/** Puts the hotel's pages on its site. */
export function fillDemoSite(site: FakeSite): void {
  for (const [path, content] of Object.entries(DEMO_SITE.pages)) site.pages.set(path, page(...content))
}

/** Makes the fake GREEN-API know the instances. */
export function addDemoInstances(greenApi: FakeGreenApi): void {
  for (const instance of Object.values(DEMO_INSTANCES)) greenApi.addInstance(instance)
}

/** Restores the settings of connected instances in the fake GREEN-API: the real one keeps them. */
export async function rememberInstances(greenApi: FakeGreenApi, database: Database): Promise<void> {
  for (const idInstance of await listInstances(database)) {
    const instance = greenApi.instances.get(idInstance)
    if (!instance) continue
    instance.state = 'authorized'
    const notifications = [
      'incomingWebhook',
      'outgoingMessageWebhook',
      'outgoingWebhook',
      'stateWebhook',
      'editedMessageWebhook',
    ]
    Object.assign(instance.settings, Object.fromEntries(notifications.map((name) => [name, 'yes'])))
  }
}

/** Makes the fake Telegram remember the chats of a database that was seeded before. */
export async function rememberChats(telegram: FakeTelegram, database: Database): Promise<void> {
  const bots = new Map(ALL_BOTS.map(({ token }) => [token.split(':')[0], telegram.bot(token)]))
  for (const { botId, chatId } of await listChats(database)) bots.get(botId)?.knownChats.add(chatId)
  const alerted = await database.root.selectFrom('alert_chats').select('chat_id').execute()
  for (const { chat_id: chatId } of alerted) if (chatId) telegram.bot(DEMO_ALERT_BOT.token).knownChats.add(chatId)
}

/** Fills an empty installation. */
export async function seedDemo(place: DemoPlace): Promise<void> {
  const [owner, newcomer] = DEMO_LOGINS
  if (!owner || !newcomer) throw new Error('The demonstration needs two logins')
  place.log('signing up')
  const session = await signUp(place.baseUrl, owner, owner.organization)
  await signUp(place.baseUrl, newcomer, newcomer.organization)
  if (place.isEmpty) return
  const organizationId = session.organizationId as Id<'organizations'>
  await dressOrganization(place.database, organizationId, new Date(place.now.getTime() - (HISTORY_DAYS + 5) * DAY_MS))
  place.log('reading documents and tables')
  const spaces = { ru: await makeSpace(session, DEMO_SPACES.ru), en: await makeSpace(session, DEMO_SPACES.en) }
  place.log("reading the hotel's site")
  await readSite(session, spaces.ru, place.siteUrl)
  place.log('making agents and connecting their bots and the WhatsApp number')
  const agents = await makeAgents(session, spaces)
  await call(session, 'action', 'channels/webchat:provision', {
    agentId: agents.support.agentId,
    widget: { ...DEMO_WIDGET, domains: [place.webchatHost] },
  })
  place.log(`inventing ${HISTORY_DAYS} days of conversations`)
  await insertHistory(place.database, organizationId, agents, inventHistory(place.now, MODELS))
}

async function makeSpace(session: Session, space: DemoSpace): Promise<string> {
  const { name, description } = space
  const knowledgeSpaceId = idOf(await call(session, 'mutation', 'knowledge/spaces:create', { name, description }))
  for (const fragment of space.fragments) {
    await call(session, 'mutation', 'knowledge/fragments:create', { knowledgeSpaceId, ...fragment })
  }
  for (const document of space.documents) await uploadDocument(session, knowledgeSpaceId, document.name, document.text)
  for (const { name: tableName, text, column } of space.tables) {
    const tableId = await uploadTable(session, knowledgeSpaceId, tableName, text)
    await untilRead(session, knowledgeSpaceId, 'tables')
    await call(session, 'mutation', 'knowledge/tables:importColumn', { tableId, column })
  }
  await untilRead(session, knowledgeSpaceId, 'documents')
  await untilRead(session, knowledgeSpaceId, 'tables')
  return knowledgeSpaceId
}

async function readSite(session: Session, knowledgeSpaceId: string, url: string): Promise<void> {
  await call(session, 'mutation', 'knowledge/sites:create', { knowledgeSpaceId, url, mode: 'crawl', everyHours: 168 })
  await untilRead(session, knowledgeSpaceId, 'sites')
  await untilRead(session, knowledgeSpaceId, 'documents')
}

/** Resolves when every document, table or site of the space can be used. @throws when one cannot be read */
async function untilRead(
  session: Session,
  knowledgeSpaceId: string,
  kind: 'documents' | 'tables' | 'sites',
): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const sources = await listSources(session, knowledgeSpaceId, kind)
    const failed = sources.find(({ status }) => status === 'error')
    if (failed) throw new Error(`One of the ${kind} could not be read: ${JSON.stringify(failed)}`)
    if (sources.every(({ status }) => status === 'ready')) return
    await wait(100)
  }
  throw new Error(`The ${kind} were not read within a minute`)
}

async function listSources(session: Session, knowledgeSpaceId: string, kind: string): Promise<{ status: string }[]> {
  const pages = kind === 'tables' && { paginationOpts: { numItems: 100, cursor: null } }
  const found = await call(session, 'query', `knowledge/${kind}:list`, { knowledgeSpaceId, ...pages })
  return (kind === 'tables' ? (found as { page: unknown }).page : found) as { status: string }[]
}

async function makeAgents(session: Session, spaces: { ru: string; en: string }): Promise<DemoAgents> {
  const made: Partial<DemoAgents> = {}
  for (const { key, space, name, systemPrompt, avatar } of AGENTS) {
    const agentId = idOf(await call(session, 'mutation', 'agents:create', { name, systemPrompt, model: MODELS[key] }))
    await call(session, 'mutation', 'agents:update', { id: agentId, patch: { avatar, choices: { isOn: true } } })
    await call(session, 'mutation', 'knowledge/spaces:linkAgent', { knowledgeSpaceId: spaces[space], agentId })
    const botToken = DEMO_BOTS[key].token
    const connectionId = idOf(await call(session, 'action', 'channels/telegram:provision', { agentId, botToken }))
    const whatsapp = key === 'support' ? await connectNumber(session, agentId) : null
    made[key] = { agentId: agentId as Id<'agents'>, telegram: connectionId as Id<'channelConnections'>, whatsapp }
  }
  const { support, sales, booking } = made
  if (!support || !sales || !booking) throw new Error('An agent is missing')
  return { support, sales, booking }
}

async function connectNumber(session: Session, agentId: string): Promise<Id<'channelConnections'>> {
  const { idInstance, apiToken } = DEMO_INSTANCES.hotel
  const connection = await call(session, 'action', 'channels/whatsapp:provision', { agentId, idInstance, apiToken })
  return idOf(connection) as Id<'channelConnections'>
}
