// An inbox with every state that its screens can show: two colleagues, customers of three channels, failed
// messages, pictures, notes, a rating, merged and archived conversations; and another organization without any conversation.
import type pg from 'pg'
import sharp from 'sharp'
import { type Credentials, call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { startFilled } from './filled.ts'
import { expect } from './fixtures.ts'
import type { Installation } from './server.ts'

export const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
export const BORIS = { name: 'Boris', email: 'boris@example.com', password: 'correct horse 42' }
/** Owner of an organization without conversations. */
export const VERA = { name: 'Vera', email: 'vera@example.com', password: 'correct horse 42' }
export const QUESTION = 'Within how many days may goods be returned?'
export const ANSWER = 'Within fourteen days.'
const CHAT = 4711
/** More than one page of the list. */
const OTHERS = 55

export type InboxStates = {
  url: string
  anna: Session
  boris: Session
  annaId: string
  /** Ids of conversations by the state that they show. */
  talk: string
  merged: string
  deleted: string
  closed: string
  /** Adds an archived conversation to the organization without conversations, or deletes it. */
  setArchived(isArchived: boolean): Promise<void>
  close(): Promise<void>
}

export function startInboxStates(): Promise<InboxStates> {
  return startFilled(furnish)
}

type Furnished = Omit<InboxStates, 'close'>

async function furnish(installation: Installation, client: pg.Client): Promise<Furnished> {
  const { url } = installation
  const anna = await signUp(url, ANNA, 'Anna & Co')
  const boris = await joining(client, await signUp(url, BORIS, 'Boris alone'), BORIS, anna)
  const vera = await signUp(url, VERA, 'Vera alone')
  const annaId = idOf(await call(anna, 'query', 'users:current', {}))
  installation.openai?.reply(() => ({ text: ANSWER }))
  const agentId = idOf(await call(anna, 'mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-4.1-mini' }))
  const place = await openChannels(installation, anna, agentId)
  const talk = await beginTalk(installation, anna, place.token)
  const ids = await insertOthers(client, anna, { agentId, ...place })
  await decorate(client, { talk, ...ids })
  await call(anna, 'mutation', 'conversations/threads:merge', { conversationIds: [ids.merged, ids.joined] })
  await call(anna, 'mutation', 'conversations/bulk:place', { conversationIds: [ids.deleted], folder: 'deleted' })
  await furnishDesk(anna, boris, { talk, annaId })
  const ownAgentId = idOf(await call(vera, 'mutation', 'agents:create', { name: 'Helper' }))
  return { url, anna, boris, annaId, talk, ...ids, setArchived: archiving(client, vera, ownAgentId) }
}

/** Only an administrator can add members to a team. */
async function joining(client: pg.Client, session: Session, { email }: Credentials, team: Session): Promise<Session> {
  await client.query(
    "update members set organization_id = $1, role = 'admin' where user_id = (select id from users where email = $2)",
    [team.organizationId, email],
  )
  return { ...session, organizationId: team.organizationId }
}

async function openChannels({ telegram, whatsappCloud }: Installation, session: Session, agentId: string) {
  const { token } = telegram.addBot()
  const bot = idOf(await call(session, 'action', 'channels/telegram:provision', { agentId, botToken: token }))
  const { phoneNumberId, accountId, accessToken, appSecret } = whatsappCloud.addNumber({
    templates: [
      {
        ...{ name: 'order_ready', language: 'ru', status: 'APPROVED', category: 'UTILITY' },
        components: [{ type: 'BODY', text: '{{1}}, ваш заказ готов.' }],
      },
    ],
  })
  const entered = { agentId, phoneNumberId, accountId, accessToken, appSecret }
  const number = idOf(await call(session, 'action', 'channels/whatsappCloud:provision', entered))
  return { token, bot, number }
}

/** A question with its answer, a picture, and a reply that fails. */
async function beginTalk({ telegram }: Installation, session: Session, token: string): Promise<string> {
  const bolat = { chatId: CHAT, firstName: 'Bolat', username: 'bolat' }
  telegram.customerSays(token, bolat, QUESTION)
  await expect.poll(() => telegram.sentTo(CHAT).length, { timeout: 30_000 }).toBe(1)
  const picture = await sharp({ create: { width: 240, height: 160, channels: 3, background: '#88aa99' } })
    .png()
    .toBuffer()
  telegram.customerSends(token, bolat, { photo: [{ file_id: '$file', width: 240, height: 160 }] }, picture)
  await expect.poll(() => telegram.sentTo(CHAT).length, { timeout: 30_000 }).toBe(2)
  const { page } = (await call(session, 'query', 'conversations:list', {
    paginationOpts: { numItems: 1, cursor: null },
  })) as { page: { _id: string }[] }
  const conversationId = idOf(page[0])
  telegram.faults.blocked.add(String(CHAT))
  await call(session, 'mutation', 'conversations:reply', { conversationId, text: 'I have just sent it to you.' })
  const problems = async () =>
    (
      (await call(session, 'query', 'conversations:list', {
        ...{ paginationOpts: { numItems: 1, cursor: null }, hasProblem: true },
      })) as { page: unknown[] }
    ).page.length
  await expect.poll(problems, { timeout: 30_000 }).toBe(1)
  return conversationId
}

type Place = { agentId: string; bot: string; number: string }

/** Old conversations with one message each; two of the same person, one of a number that can only receive templates by now. */
async function insertOthers(client: pg.Client, { organizationId }: Session, { agentId, bot, number }: Place) {
  await client.query(
    `insert into customers (id, organization_id, connection_id, external_id, name, person_id)
     select 'customer-' || n, $1, case when n = 1 then $3 else $2 end, 'person-' || n,
       case when n = 1 then 'Dina' when n <= 3 then 'Aigul' else 'Customer ' || n end, case when n = 3 then 'customer-2' end
     from generate_series(1, ${OTHERS}) n`,
    [organizationId, bot, number],
  )
  await client.query(
    `insert into conversations (id, organization_id, agent_id, channel, connection_id, customer_id, external_chat_id, status)
     select 'conversation-' || n, $1, $4, case when n = 1 then 'whatsappCloud' else 'telegram' end,
       case when n = 1 then $3 else $2 end, 'customer-' || n, 'chat-' || n, case when n % 7 = 0 then 'ended' else 'active' end
     from generate_series(1, ${OTHERS}) n`,
    [organizationId, bot, number, agentId],
  )
  await client.query(
    `insert into messages (id, organization_id, conversation_id, author, text, created_at)
     select 'message-' || n, $1, 'conversation-' || n, 'customer', 'When do you open?', now() - interval '3 days'
     from generate_series(1, ${OTHERS}) n`,
    [organizationId],
  )
  await client.query(
    `update conversations set last_message_author = 'customer', last_message_text = 'When do you open?',
       last_message_at = now() - substr(id, 14)::int * interval '1 hour' where id like 'conversation-%'`,
  )
  return {
    closed: 'conversation-1',
    merged: 'conversation-2',
    joined: 'conversation-3',
    deleted: 'conversation-4',
    tagged: 'conversation-5',
  }
}

async function decorate(client: pg.Client, { talk, tagged }: { talk: string; tagged: string }): Promise<void> {
  await client.query(
    `insert into conversation_ratings (organization_id, conversation_id, score, comment, rated_at)
     select organization_id, id, 4, 'Quick, thank you', now() from conversations where id = $1`,
    [talk],
  )
  await client.query(
    `insert into conversation_tags (organization_id, conversation_id, tag)
     select organization_id, id, 'tag ' || n from conversations, generate_series(1, 20) n where id = $1`,
    [tagged],
  )
  await client.query(
    `insert into conversation_tags (organization_id, conversation_id, tag)
     select organization_id, id, 'wholesale' from conversations where id = $1`,
    [talk],
  )
}

async function furnishDesk(anna: Session, boris: Session, { talk, annaId }: { talk: string; annaId: string }) {
  const texts = { ru: 'Добрый день!', en: 'Good day!' }
  await call(anna, 'mutation', 'conversations/canned:create', { name: 'Greeting', texts })
  const view = { name: 'Paused', query: '?status=paused', isShared: true }
  await call(anna, 'mutation', 'conversations/views:create', view)
  const note = { conversationId: talk, text: '@Anna he comes back tomorrow', mentions: [annaId] }
  await call(boris, 'mutation', 'conversations/notes:add', note)
}

function archiving(client: pg.Client, { organizationId }: Session, agentId: string) {
  return async (isArchived: boolean) => {
    await client.query('delete from conversations where organization_id = $1', [organizationId])
    if (!isArchived) return
    await client.query(
      `insert into conversations (id, organization_id, agent_id, channel, status, folder, moved_at)
       values ('conversation-archived', $1, $2, 'http', 'ended', 'archived', now())`,
      [organizationId, agentId],
    )
  }
}
