// SQL of the outbox apart from sending: queueing, withholding, sending again. Sending itself is in deliver.store.ts, the parts of an agent's
// answer are in answer-parts.store.ts.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { OutboxTable } from '#server/platform/db/tables/conversations.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { ChosenTemplate } from '#shared/channels/templates.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'

type Target = {
  connectionId: Id<'channelConnections'>
  conversationId: Id<'conversations'>
  messageId: Id<'messages'>
  externalChatId: string
}
/** How a customer is reached; both null where there is no channel. */
type Recipient = { connectionId: Id<'channelConnections'> | null; chatId: string | null }

/** How long a part is held without renewal by the server that has claimed it. */
export const PART_LEASE = sql.lit('30 seconds')

type NewPart = Pick<OutboxTable, 'text' | 'attachment_id'> & { template: ChosenTemplate | null }

/** Queues the parts of an operator's message, in order: the texts, followed by its files. */
export function queueParts(
  ctx: OrgStoreContext,
  target: Target,
  texts: string[],
  files: Id<'attachments'>[] = [],
): Promise<void> {
  return queue(ctx, target, [
    ...texts.map((text) => ({ text, attachment_id: null, template: null })),
    ...files.map((file) => ({ text: '', attachment_id: file, template: null })),
  ])
}

/** Queues a template that an operator has chosen. */
export function queueTemplate(
  ctx: OrgStoreContext,
  target: Target,
  { text, template }: { text: string; template: ChosenTemplate },
): Promise<void> {
  return queue(ctx, target, [{ text, attachment_id: null, template }])
}

async function queue(ctx: OrgStoreContext, target: Target, parts: NewPart[]): Promise<void> {
  await ctx.db
    .insertInto('outbox')
    .values(
      parts.map(({ template, ...given }, part) => ({
        id: newId('outbox'),
        organization_id: ctx.organizationId,
        connection_id: target.connectionId,
        conversation_id: target.conversationId,
        message_id: target.messageId,
        part,
        external_chat_id: target.externalChatId,
        ...given,
        template: template && JSON.stringify(template),
        is_own: true,
        status: 'queued' as const,
        owner: null,
        lease_until: null,
        external_message_id: null,
        error: null,
      })),
    )
    .execute()
}

/**
 * Withholds the agent's unsent parts in conversations. A part that is being sent may have arrived already: it is marked, so that it is not
 * retried should it definitely not have (see `recordOutcomes`). One that may have arrived before a retry becomes unknown.
 */
export async function withholdAgentParts(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<void> {
  if (conversationIds.length === 0) return
  await sql`
    update outbox set error = 'paused', updated_at = now(),
      status = case when status = 'sending' then 'sending' when may_have_arrived then 'unknown' else 'failed' end,
      owner = case when status = 'sending' then owner end, lease_until = case when status = 'sending' then lease_until end
    where organization_id = ${ctx.organizationId} and conversation_id = any(${conversationIds}::text[])
      and status in ('queued', 'claimed', 'sending')
      and message_id in (select id from messages where messages.organization_id = ${ctx.organizationId}
        and messages.conversation_id = any(${conversationIds}::text[]) and messages.author = 'agent')`.execute(ctx.db)
}

/** Marks messages as failed that the provider had accepted, and dropped before they left: a person may resend them. */
export async function failDropped(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  externalMessageIds: string[],
): Promise<void> {
  await ctx.db
    .updateTable('outbox')
    .set({ status: 'failed', error: 'undelivered: dropped from the queue', updated_at: sql<Date>`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', connectionId)
    .where('external_message_id', 'in', externalMessageIds)
    .where('status', '=', 'sent')
    .execute()
}

/** Withholds everything that would be sent through a connection; parts being sent are marked as by a pause. */
export async function withholdConnection(ctx: OrgStoreContext, connectionId: Id<'channelConnections'>): Promise<void> {
  await sql`
    update outbox set error = 'connection_off', updated_at = now(),
      status = case when status = 'sending' then 'sending' when may_have_arrived then 'unknown' else 'failed' end,
      owner = case when status = 'sending' then owner end, lease_until = case when status = 'sending' then lease_until end
    where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and status in ('queued', 'claimed', 'sending')`.execute(ctx.db)
}

/** Where a part belongs. @throws AppError not_found */
export async function getPartConversation(ctx: OrgStoreContext, outboxId: Id<'outbox'>): Promise<Id<'conversations'>> {
  const part = await ctx.db
    .selectFrom('outbox')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', outboxId)
    .select('conversation_id')
    .executeTakeFirst()
  if (!part) throw new AppError('not_found')
  return part.conversation_id
}

/**
 * Requeues a failed or unknown part, and what failed behind it for that reason. The caller holds the conversation.
 * A part in another state stays as it is: another request has requeued it, and it is on its way or has arrived.
 */
export async function requeue(ctx: OrgStoreContext, outboxId: Id<'outbox'>): Promise<void> {
  const again = {
    status: 'queued' as const,
    error: null,
    owner: null,
    // What it was of unknown outcome before decides what it is when it fails now.
    may_have_arrived: sql<boolean>`may_have_arrived or status = 'unknown'`,
    updated_at: sql<Date>`now()`,
    not_before: sql<Date>`now()`,
    first_tried_at: null,
  }
  const part = await ctx.db
    .updateTable('outbox')
    .set(again)
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', outboxId)
    .where('status', 'in', ['failed', 'unknown'])
    .returning(['message_id', 'part'])
    .executeTakeFirst()
  if (!part) return
  await ctx.db
    .updateTable('outbox')
    .set(again)
    .where('organization_id', '=', ctx.organizationId)
    .where('message_id', '=', part.message_id)
    .where('part', '>', part.part)
    .where('status', '=', 'failed')
    .where('error', '=', 'earlier_part')
    .execute()
}

/** Lets a resent part leave by the number that its conversation uses by now. Other parts wait behind it. */
export async function sendByConversationConnection(ctx: OrgStoreContext, outboxId: Id<'outbox'>): Promise<void> {
  await sql`
    update outbox o set connection_id = c.connection_id, external_message_id = null, updated_at = now()
    from conversations c join channel_connections home on home.organization_id = c.organization_id and home.id = c.connection_id
    where o.organization_id = ${ctx.organizationId} and c.organization_id = o.organization_id and c.id = o.conversation_id
      and home.disconnected_at is null and not home.is_frozen
      and c.channel = 'whatsapp' and c.external_chat_id = o.external_chat_id and o.connection_id <> c.connection_id and o.status = 'queued'
      and o.message_id = (select message_id from outbox where organization_id = ${ctx.organizationId} and id = ${outboxId})`.execute(
    ctx.db,
  )
}

/** Resumes answers whose first part was being sent all the time, unless an operator has written since. */
export async function goOnSending(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<void> {
  if (conversationIds.length === 0) return
  await sql`
    with sending as (
      update outbox p set error = null from messages m
      where p.organization_id = ${ctx.organizationId} and p.conversation_id = any(${conversationIds}::text[])
        and p.status = 'sending' and p.error = 'paused'
        and m.organization_id = p.organization_id and m.id = p.message_id
        and not exists (select from messages reply where reply.organization_id = m.organization_id
          and reply.conversation_id = m.conversation_id and reply.author = 'operator' and reply.sequence > m.sequence)
      returning p.message_id
    )
    update outbox rest set status = 'queued', error = null, updated_at = now() from sending
    where rest.message_id = sending.message_id and rest.status = 'failed' and rest.error = 'paused'`.execute(ctx.db)
}

/** A part of a statement: queues the texts of a message, in order, which a CTE named `message` has stored (id, organization_id, conversation_id). */
export function queueTexts(texts: string[], { connectionId, chatId }: Recipient): RawBuilder<unknown> {
  return sql`
    insert into outbox (id, organization_id, connection_id, conversation_id, message_id, part, external_chat_id, text, status)
    select new.id, m.organization_id, ${connectionId}, m.conversation_id, m.id, new.place - 1, ${chatId}, new.text, 'queued'
    from message m, unnest(${texts.map(() => newId('outbox'))}::text[], ${texts}::text[]) with ordinality as new (id, text, place)`
}

/** The same of one attachment of the message. */
export function queueFile(
  { part, attachmentId }: { part: number; attachmentId: Id<'attachments'> },
  { connectionId, chatId }: Recipient,
): RawBuilder<unknown> {
  return sql`
    insert into outbox (id, organization_id, connection_id, conversation_id, message_id, part, external_chat_id, text, status, attachment_id)
    select ${newId('outbox')}, organization_id, ${connectionId}, conversation_id, id, ${part}::int, ${chatId}, '', 'queued', ${attachmentId}
    from message`
}

/** Renews the lease of parts that the server still works on: those with less than `leastLeft`. */
export async function renewPartLeases(
  ctx: StoreContext,
  { owner, ids, leastLeft }: { owner: number; ids: string[]; leastLeft: RawBuilder<unknown> },
): Promise<void> {
  await sql`update outbox set lease_until = now() + interval ${PART_LEASE}
    where id = any (${ids}::text[]) and owner = ${owner}::int and status in ('claimed', 'sending')
      and lease_until < now() + interval ${leastLeft}`.execute(ctx.db)
}

/** Parts that wait for the limits of a connection become due: the limits have changed. */
export async function releaseCapped(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await sql`
    update outbox set not_before = now(), error = null, updated_at = now()
    where organization_id = ${ctx.organizationId} and connection_id = ${id} and status = 'queued'
      and error in ('cap_hour', 'cap_day', 'cap_pace') and not_before < 'infinity'`.execute(ctx.db)
}

/** Moves the parts of conversations whose chat ids have changed. The conversations were changed before. */
export async function moveChatsOfParts(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    update outbox set external_chat_id = left(external_chat_id, -length(${from}::text)) || ${to}::text
    where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and right(external_chat_id, length(${from}::text)) = ${from}
      and exists (select from conversations c where c.organization_id = outbox.organization_id and c.id = outbox.conversation_id
        and c.external_chat_id <> outbox.external_chat_id)`.execute(ctx.db)
}

/** Removes the parts of messages that are removed. */
export async function deletePartsOf(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  messageIds: Id<'messages'>[],
): Promise<void> {
  await ctx.db
    .deleteFrom('outbox')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('message_id', 'in', messageIds)
    .execute()
}
