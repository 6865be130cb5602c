// SQL of the demonstration: writes an invented past in bulk, which no public function can do.
import { type Insertable, sql } from 'kysely'
import { recountMonths } from '#server/domain/billing/months.store.ts'
import { subjectStems } from '#server/integrations/llm/words.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/platform/db/tables/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import type { ShownWidget } from '#tests/fakes/webchat/webchat-page.ts'
import type { DemoAgentKey } from './demo.dialogues.ts'
import type { DemoChannel, PastConversation, PastMessage } from './demo.history.ts'
import { computeSources } from './demo.tables.store.ts'

const ROWS_AT_ONCE = 400
const HOUR_MS = 3_600_000

/** An agent of the demonstration with its connections; the number is the help desk's alone. */
export type DemoAgent = {
  agentId: Id<'agents'>
  telegram: Id<'channelConnections'>
  whatsapp: Id<'channelConnections'> | null
}
export type DemoAgents = Record<DemoAgentKey, DemoAgent>
type Rows = { [Name in keyof Tables]?: Insertable<Tables[Name]>[] }
type SourceChunk = MessageSource & { stems: Set<string> }
type SourcesOf = (message: PastMessage) => MessageSource[]

/** Writes all conversations with their customers, messages, deliveries and usage. One transaction. */
export async function insertHistory(
  database: Database,
  organizationId: Id<'organizations'>,
  agents: DemoAgents,
  history: PastConversation[],
): Promise<void> {
  await database.organization(organizationId, async (db) => {
    const chunks = await listChunks(db, organizationId)
    const computed = await computeSources({ db, organizationId }, history)
    const sources: SourcesOf = (message) => computed(message) ?? sourcesOf(message, chunks)
    const rows: Required<Pick<Rows, 'customers' | 'conversations' | 'messages' | 'outbox' | 'usage_events'>> = {
      customers: [],
      conversations: [],
      messages: [],
      outbox: [],
      usage_events: [],
    }
    for (const conversation of history)
      addConversation(rows, organizationId, agents[conversation.agent], conversation, sources)
    await insertAll(db, 'customers', rows.customers)
    await insertAll(db, 'conversations', rows.conversations)
    await insertAll(db, 'messages', rows.messages)
    await insertAll(db, 'outbox', rows.outbox)
    await insertAll(db, 'usage_events', rows.usage_events)
    await insertAll(db, 'usage_hours', hoursOf(rows.usage_events))
    await recountMonths({ db, organizationId })
    await markAnswered(db, organizationId)
    await countProcessed(db, organizationId)
  })
}

/** Gives the organization a plan with an allowance, a name for its customers and a past. */
export async function dressOrganization(
  database: Database,
  organizationId: Id<'organizations'>,
  since: Date,
): Promise<void> {
  await database.system('demo: dress the organization', async (db) => {
    await db
      .updateTable('organizations')
      .set({ plan: 'pro', monthly_limit: 2000, time_zone: 'Europe/Moscow', created_at: since })
      .where('id', '=', organizationId)
      .execute()
  })
}

/** Live instances, so that the fake GREEN-API knows their settings after a restart. */
export async function listInstances(database: Database): Promise<string[]> {
  const rows = await database.system('demo: list instances', (db) =>
    db
      .selectFrom('channel_connections')
      .where('channel', '=', 'whatsapp')
      .where('disconnected_at', 'is', null)
      .select('external_account_id')
      .execute(),
  )
  return rows.map((row) => row.external_account_id)
}

/** Live web chats, newest first, for the site that shows them. */
export async function listWidgets(database: Database): Promise<ShownWidget[]> {
  const rows = await database.system('demo: list web chats', (db) =>
    db
      .selectFrom('channel_connections')
      .where('channel', '=', 'webchat')
      .where('disconnected_at', 'is', null)
      .select(['external_account_id as key', 'widget'])
      .orderBy('linked_at', 'desc')
      .execute(),
  )
  return rows.flatMap(({ key, widget }) => (widget ? { key, title: widget.title, domains: widget.domains } : []))
}

/** Chats that have ever been written to, so that the fake Telegram knows them after a restart. */
export async function listChats(database: Database): Promise<{ botId: string; chatId: string }[]> {
  const rows = await database.system('demo: list chats', (db) =>
    db
      .selectFrom('conversations')
      .innerJoin('channel_connections', 'channel_connections.id', 'conversations.connection_id')
      .select(['channel_connections.external_account_id as botId', 'conversations.external_chat_id as chatId'])
      .execute(),
  )
  return rows.flatMap(({ botId, chatId }) => (chatId === null ? [] : [{ botId, chatId }]))
}

function addConversation(
  rows: Required<Pick<Rows, 'customers' | 'conversations' | 'messages' | 'outbox' | 'usage_events'>>,
  organizationId: Id<'organizations'>,
  { agentId, ...connections }: DemoAgent,
  { channel, customer, status, unread, messages }: PastConversation,
  sources: SourcesOf,
): void {
  const first = messages[0]
  const last = messages.at(-1)
  const connectionId = connections[channel]
  if (!first || !last || !connectionId) return
  const customerId = newId('customers')
  const conversationId = newId('conversations')
  rows.customers.push({
    id: customerId,
    organization_id: organizationId,
    connection_id: connectionId,
    external_id: customer.chatId,
    name: customer.name,
    username: customer.username,
    language: customer.language,
    created_at: first.at,
  })
  rows.conversations.push({
    id: conversationId,
    organization_id: organizationId,
    agent_id: agentId,
    channel,
    connection_id: connectionId,
    customer_id: customerId,
    test_user_id: null,
    external_chat_id: customer.chatId,
    status,
    resume_at: null,
    pause_reason: status === 'paused' ? 'operator_reply' : null,
    paused_at: status === 'paused' ? last.at : null,
    message_count: messages.length,
    unread_count: unread,
    last_message_author: last.author,
    last_message_text: last.text.slice(0, 200),
    last_message_at: last.at,
    created_at: first.at,
  })
  for (const message of messages) {
    const messageId = newId('messages')
    const turnId = message.author === 'agent' ? newId('turns') : null
    const base = { organization_id: organizationId, conversation_id: conversationId }
    rows.messages.push({ ...messageRow(message, sources), ...base, id: messageId, turn_id: turnId })
    if (message.delivery) {
      rows.outbox.push({
        ...base,
        id: newId('outbox'),
        connection_id: connectionId,
        message_id: messageId,
        part: 0,
        external_chat_id: customer.chatId,
        text: message.text,
        status: message.delivery,
        owner: null,
        lease_until: null,
        not_before: message.at,
        external_message_id: message.delivery === 'sent' ? String(rows.messages.length) : null,
        error: message.delivery === 'failed' ? 'blocked: Forbidden: bot was blocked by the user' : null,
        created_at: message.at,
        updated_at: message.at,
      })
    }
    if (turnId) rows.usage_events.push(usageRow(message, turnId, { organizationId, agentId, conversationId, channel }))
  }
}

function messageRow(message: PastMessage, sources: SourcesOf) {
  const { author, text, at, generation } = message
  return {
    author,
    user_id: null,
    text,
    status: 'complete' as const,
    reason: null,
    sources: JSON.stringify(sources(message)),
    model: generation?.model ?? null,
    input_tokens: generation?.inputTokens ?? null,
    output_tokens: generation?.outputTokens ?? null,
    cost_micro_usd: generation?.costMicroUsd ?? null,
    price_version: generation?.priceVersion ?? null,
    latency_ms: generation?.latencyMs ?? null,
    first_token_ms: generation?.firstTokenMs ?? null,
    created_at: at,
  }
}

function usageRow(
  { generation, at }: PastMessage,
  sourceId: string,
  of: {
    organizationId: Id<'organizations'>
    agentId: Id<'agents'>
    conversationId: Id<'conversations'>
    channel: DemoChannel
  },
): Insertable<Tables['usage_events']> {
  return {
    source_id: sourceId,
    organization_id: of.organizationId,
    agent_id: of.agentId,
    category: 'agent_response',
    channel: of.channel,
    messages: 1,
    provider: generation?.model.split('/')[0] ?? null,
    model: generation?.model ?? null,
    input_tokens: generation?.inputTokens ?? 0,
    output_tokens: generation?.outputTokens ?? 0,
    cost_micro_usd: generation?.costMicroUsd ?? null,
    price_version: generation?.priceVersion ?? null,
    conversation_id: of.conversationId,
    purpose: 'reply',
    occurred_at: at,
  }
}

/** Sums of the events by hour, as the product keeps them. */
function hoursOf(events: Insertable<Tables['usage_events']>[]): Insertable<Tables['usage_hours']>[] {
  const hours = new Map<
    string,
    Insertable<Tables['usage_hours']> & { messages: number; tokens: number; cost_micro_usd: number }
  >()
  for (const event of events) {
    const hour = Math.floor(new Date(event.occurred_at ?? 0).getTime() / HOUR_MS) * HOUR_MS
    const key = `${event.channel} ${hour}`
    const sum = hours.get(key) ?? {
      organization_id: event.organization_id,
      hour: new Date(hour),
      category: event.category,
      channel: event.channel,
      shard: 0,
      messages: 0,
      tokens: 0,
      cost_micro_usd: 0,
      unpriced_calls: 0,
    }
    sum.messages += event.messages
    sum.tokens += (event.input_tokens ?? 0) + (event.output_tokens ?? 0)
    sum.cost_micro_usd += event.cost_micro_usd ?? 0
    hours.set(key, sum)
  }
  return [...hours.values()]
}

/** The chunk of the named source that shares most words with the answer. */
function sourcesOf({ source, text }: PastMessage, chunks: SourceChunk[]): MessageSource[] {
  if (!source) return []
  const answerStems = subjectStems(text)
  const ranked = chunks
    .filter((chunk) => chunk.source === source)
    .map((chunk) => ({ chunk, shared: [...answerStems].filter((stem) => chunk.stems.has(stem)).length }))
    .toSorted((a, b) => b.shared - a.shared)
  const best = ranked[0]?.chunk
  if (!best) return []
  const { stems: _, ...shown } = best
  return [shown]
}

async function listChunks(db: Db, organizationId: Id<'organizations'>): Promise<SourceChunk[]> {
  const rows = await db
    .selectFrom('chunks')
    .where('organization_id', '=', organizationId)
    .select(['id', 'source_id', 'title', 'page', 'body'])
    .execute()
  return rows.map((row) => ({
    chunkId: row.id,
    documentId: row.source_id,
    source: row.title,
    page: row.page,
    score: 0.9,
    excerpt: row.body.slice(0, 300),
    stems: subjectStems(row.body),
  }))
}

async function insertAll<Name extends keyof Tables & string>(
  db: Db,
  table: Name,
  rows: Insertable<Tables[Name]>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await db
      .insertInto(table)
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .execute()
  }
}

/** Marks the past as answered, so that no turn is due. */
async function markAnswered(db: Db, organizationId: Id<'organizations'>): Promise<void> {
  await sql`
    update conversations c set answered_through =
      coalesce((select max(m.sequence) from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id), 0)
    where c.organization_id = ${organizationId}`.execute(db)
}

async function countProcessed(db: Db, organizationId: Id<'organizations'>): Promise<void> {
  await sql`
    update channel_connections n set messages_processed = seen.count, last_inbound_at = seen.last_at
    from (select c.connection_id, count(*) as count, max(m.created_at) as last_at
      from messages m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
      where c.organization_id = ${organizationId} and m.author = 'customer' group by c.connection_id) seen
    where n.organization_id = ${organizationId} and n.id = seen.connection_id`.execute(db)
}
