// SQL of the web chat: finding a widget by the key in its address, and a conversation as its visitor may see it.
import { sql } from 'kysely'
import { isRatingAsked } from '#server/domain/messaging/conversations/ratings.store.ts'
import { draftForCustomer } from '#server/domain/messaging/turns/drafts.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import type { VisitorBubble, VisitorChat, WidgetSettings } from '#shared/channels/webchat.ts'
import type { Id } from '#shared/ids.ts'
import { TYPING_SHOWN_MS, WEBCHAT_BUBBLES_MAX } from '#shared/limits.ts'
import { SECRETS, type StoredConnection } from '../connections/connections.store.ts'

/** A live widget with what its visitors see. */
export type Widget = {
  connection: StoredConnection
  settings: WidgetSettings
  /** The agent's picture as it is stored. */
  avatar: string | null
  availability: AgentSettings['availability']
  timeZone: string
}

/** The visitor and the widget of a conversation. */
export type Visitor = { connectionId: Id<'channelConnections'>; visitorId: string }

/** The state of a visitor's conversation; `id` is null before the first message. */
export type VisitorConversation = {
  id: Id<'conversations'> | null
} & Omit<VisitorChat, 'isOpen'>

const NOTHING: VisitorConversation = {
  id: null,
  bubbles: [],
  isAnswering: false,
  draft: null,
  person: null,
  personTypingMs: 0,
  isRatingAsked: false,
}

/** The live widget behind a public key, over all organizations. */
export async function findWidget(ctx: StoreContext, key: string): Promise<Widget | undefined> {
  const row = await ctx.db
    .selectFrom('channel_connections')
    .innerJoin('agents', 'agents.id', 'channel_connections.agent_id')
    .innerJoin('organizations', 'organizations.id', 'channel_connections.organization_id')
    .innerJoin('agent_versions', (join) =>
      join
        .onRef('agent_versions.agent_id', '=', 'agents.id')
        .onRef('agent_versions.number', '=', 'agents.live_version'),
    )
    .where('channel_connections.channel', '=', 'webchat')
    .where('channel_connections.external_account_id', '=', key)
    .where('channel_connections.disconnected_at', 'is', null)
    .where('agents.deleted_at', 'is', null)
    .select(SECRETS.map((column) => `channel_connections.${column}` as const))
    .select(['channel_connections.widget', 'agents.avatar', 'agent_versions.settings as agentSettings'])
    .select('organizations.time_zone as timeZone')
    .executeTakeFirst()
  if (!row?.widget) return undefined
  const { widget, avatar, timeZone, agentSettings: settings, ...connection } = row
  const { availability } = agentSettings.parse(settings)
  return { connection, settings: widget, avatar, availability, timeZone }
}

/** Records that a site was not allowed to show a widget, at most once a minute for each widget. */
export async function noteRefusedSite(ctx: OrgStoreContext, id: Id<'channelConnections'>, site: string): Promise<void> {
  await sql`
    update channel_connections set refused_site = ${site}, refused_site_at = now()
    where organization_id = ${ctx.organizationId} and id = ${id} and disconnected_at is null
      and coalesce(refused_site_at < now() - interval '1 minute', true)`.execute(ctx.db)
}

/**
 * A conversation as its visitor may see it: their messages, and of answers what was sent to them. Leaves out everything that waits, was
 * withheld or failed.
 */
export async function readConversation(ctx: OrgStoreContext, visitor: Visitor): Promise<VisitorConversation> {
  const conversation = await ctx.db
    .selectFrom('conversations')
    .leftJoin('conversation_typing', (join) =>
      join
        .onRef('conversation_typing.organization_id', '=', 'conversations.organization_id')
        .onRef('conversation_typing.conversation_id', '=', 'conversations.id'),
    )
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversations.connection_id', '=', visitor.connectionId)
    .where('conversations.external_chat_id', '=', visitor.visitorId)
    .select(['conversations.id', PERSON.as('person'), 'conversations.status'])
    .select(
      sql<number>`greatest(0, ${TYPING_SHOWN_MS}::float8 - 1000 * extract(epoch from now() - case when operator_at > last_message_at then operator_at end))`.as(
        'typing',
      ),
    )
    .executeTakeFirst()
  if (!conversation) return NOTHING
  const { id, status, person, typing } = conversation
  return {
    id,
    bubbles: await listBubbles(ctx, id),
    ...(status === 'active' ? await findAnswer(ctx, id) : { isAnswering: false, draft: null }),
    person,
    personTypingMs: person === null ? 0 : Math.round(typing ?? 0),
    isRatingAsked: await isRatingAsked(ctx, id),
  }
}

/**
 * Whether a person was called to a conversation, or is there: an operator who has paused the agent by hand is there once they have written. */
const PERSON = sql<VisitorChat['person']>`case
  when conversations.needs_person then 'called'
  when conversations.status <> 'paused' then null
  when conversations.pause_reason <> 'operator' then 'here'
  when (select m.author from messages m where m.organization_id = conversations.organization_id
    and m.conversation_id = conversations.id and m.author in ('agent', 'operator') order by m.sequence desc limit 1) = 'operator' then 'here'
  else 'called' end`

/** Of the attachment `f`. */
const VISITOR_FILE = sql`json_build_object('id', f.id, 'name', coalesce(f.name, f.kind), 'isImage', f.kind = 'image',
  'isVoice', f.kind = 'voice')`

/** Newest bubbles of a conversation, in order. A visitor's own has the id that their browser gave it. */
async function listBubbles(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<VisitorBubble[]> {
  const result = await sql<VisitorBubble>`
    select id, author, text, files, (extract(epoch from at) * 1000)::float8 as at from (
      select coalesce(split_part(i.external_key, ':', 2), m.id) as id, m.author, m.text, coalesce((
          select json_agg(${VISITOR_FILE} order by f.position) from attachments f
          where m.attachment_count > 0 and f.organization_id = m.organization_id and f.message_id = m.id), '[]') as files,
        m.created_at as at, m.sequence, 0 as part
      from messages m
      left join inbound_events i on i.organization_id = m.organization_id and i.message_id = m.id
      where m.organization_id = ${ctx.organizationId} and m.conversation_id = ${id} and m.author = 'customer'
      union all
      select o.id, m.author, o.text, coalesce((
          select json_agg(${VISITOR_FILE}) from attachments f
          where f.organization_id = o.organization_id and f.id = o.attachment_id), '[]') as files,
        o.updated_at as at, m.sequence, o.part
      from outbox o
      join messages m on m.organization_id = o.organization_id and m.id = o.message_id
      where o.organization_id = ${ctx.organizationId} and o.conversation_id = ${id} and o.status = 'sent'
        and m.author in ('agent', 'operator')
      order by sequence desc, part desc limit ${WEBCHAT_BUBBLES_MAX}
    ) newest
    order by sequence, part`.execute(ctx.db)
  return result.rows
}

/** Whether the visitor has written before. */
export async function hasConversation(ctx: OrgStoreContext, visitor: Visitor): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', visitor.connectionId)
    .where('external_chat_id', '=', visitor.visitorId)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A file that the visitor has sent or was sent; undefined for any other. */
export function findVisitorFile(
  ctx: OrgStoreContext,
  visitor: Visitor,
  id: Id<'attachments'>,
): Promise<{ key: string | null; name: string | null } | undefined> {
  return ctx.db
    .selectFrom('attachments')
    .innerJoin('messages', 'messages.id', 'attachments.message_id')
    .innerJoin('conversations', 'conversations.id', 'attachments.conversation_id')
    .where('attachments.organization_id', '=', ctx.organizationId)
    .where('messages.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversations.connection_id', '=', visitor.connectionId)
    .where('conversations.external_chat_id', '=', visitor.visitorId)
    .where('attachments.id', '=', id)
    .where((eb) =>
      eb.or([
        eb('messages.author', '=', 'customer'),
        eb.exists(
          eb
            .selectFrom('outbox')
            .where('outbox.organization_id', '=', ctx.organizationId)
            .where('outbox.attachment_id', '=', id)
            .where('outbox.status', '=', 'sent')
            .select('outbox.id'),
        ),
      ]),
    )
    .select(['attachments.file_key as key', 'attachments.name'])
    .executeTakeFirst()
}

/** Whether an answer is being made, or waits to be sent, and its text so far. */
async function findAnswer(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
): Promise<Pick<VisitorConversation, 'isAnswering' | 'draft'>> {
  const result = await sql<Pick<VisitorConversation, 'isAnswering' | 'draft'>>`
    select exists (select from turns where organization_id = ${ctx.organizationId} and conversation_id = ${id}
        and (status = 'running' or status = 'pending' and kind = 'reply' and not_before <= now()))
      or exists (select from outbox where organization_id = ${ctx.organizationId} and conversation_id = ${id}
        and status in ('queued', 'claimed', 'sending') and not_before < 'infinity') as "isAnswering",
      (select nullif(${draftForCustomer}, '') from turns where organization_id = ${ctx.organizationId} and conversation_id = ${id}
        and status = 'running') as draft`.execute(ctx.db)
  return result.rows[0] ?? { isAnswering: false, draft: null }
}
