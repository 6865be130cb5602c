// SQL of what organizations keep for a limited time. Nothing here touches a conversation in progress (see `isCalm`).
import { type RawBuilder, sql } from 'kysely'
import { deleteProposalsOf } from '#server/domain/knowledge/review/proposals.store.ts'
import { deleteQueriesBefore } from '#server/domain/knowledge/review/queries.store.ts'
import { setRetentionDays } from '#server/domain/organizations/organizations.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { LeftAlone, Removal, RetentionCounts, RetentionSettings } from '#shared/messaging/retention.ts'
import {
  deleteEmptyConversation,
  deleteMessages,
  forgetMessages,
} from '../conversations/writes/conversation-removal.store.ts'
import { deleteWithoutConversations } from '../customers/customer-changes.store.ts'
import { isOnLegalHold, keepHoldsAsTheyAre } from '../customers/legal-hold.store.ts'
import { emptyAttachments } from '../files/attachments.store.ts'
import { emptyOld } from '../inbound-events/notifications.store.ts'
import { deletePartsOf } from '../outbox/outbox.store.ts'
import { deleteTraces, deleteTurnsBefore } from '../turns/turn-records.store.ts'
import { deleteFileCountsBefore } from '../webchat/webchat.files.store.ts'

const LISTED = 50
/** A request may still be counting in the hour before. */
const COUNTED_HOURS_MS = 2 * 3_600_000

/** What is older than these moments is removed; null: nothing is. */
export type Cutoffs = { [What in keyof RetentionSettings]: Date | null }
/** Where a walk through conversations continues: after the one that began then. */
export type CursorPosition = { createdAt: string; id: string }

/** The conversation `c` is not in progress: the agent is not silent in it, the customer does not wait, nothing is being answered or on its way. */
const isAtRest = sql<boolean>`(c.channel <> 'test' and c.status <> 'paused' and not c.needs_person and c.waiting_since is null
  and not exists (select from turns t where t.conversation_id = c.id and t.status in ('pending', 'running'))
  and not exists (select from outbox o where o.conversation_id = c.id and o.status in ('queued', 'claimed', 'sending')))`

const isHeld = isOnLegalHold(sql`c.customer_id`)
/** The conversation `c` is at rest, and its customer is not on legal hold. */
const isCalm = sql<boolean>`(${isAtRest} and not ${isHeld})`

/** The settings of the organization. */
export async function getRetention(ctx: OrgStoreContext): Promise<RetentionSettings> {
  return ctx.db
    .selectFrom('organizations')
    .where('id', '=', ctx.organizationId)
    .select([
      'retain_messages_days as messages',
      'retain_attachments_days as attachments',
      'retain_traces_days as traces',
    ])
    .executeTakeFirstOrThrow()
}

/** Applies from the next run on. */
export async function setRetention(ctx: OrgStoreContext, days: RetentionSettings): Promise<void> {
  await setRetentionDays(ctx, days)
}

/** Removes the counts of visitors' files in hours that are over: nothing is counted in them any more. */
export async function deleteOldFileCounts(ctx: StoreContext, now: Date): Promise<void> {
  await deleteFileCountsBefore(ctx, new Date(now.getTime() - COUNTED_HOURS_MS))
}

/** Organizations that keep something for a limited time, with their settings. */
export async function listLimited(ctx: StoreContext): Promise<({ id: Id<'organizations'> } & RetentionSettings)[]> {
  return ctx.db
    .selectFrom('organizations')
    .where((eb) =>
      eb.or([
        eb('retain_messages_days', 'is not', null),
        eb('retain_attachments_days', 'is not', null),
        eb('retain_traces_days', 'is not', null),
      ]),
    )
    .select([
      'id',
      'retain_messages_days as messages',
      'retain_attachments_days as attachments',
      'retain_traces_days as traces',
    ])
    .execute()
}

/** How many would be removed now. */
export async function countOverdue(ctx: OrgStoreContext, cutoffs: Cutoffs): Promise<RetentionCounts> {
  const { messages, attachments, traces } = cutoffs
  const { rows } = await sql<RetentionCounts>`
    select (select count(*) from conversations c join messages m on m.organization_id = c.organization_id and m.conversation_id = c.id
        where c.organization_id = ${ctx.organizationId} and c.created_at < ${messages} and m.created_at < ${messages} and ${isCalm})::float8 as messages,
      (select count(*) from attachments a join conversations c on c.organization_id = a.organization_id and c.id = a.conversation_id
        where a.organization_id = ${ctx.organizationId} and a.created_at < ${attachments} and ${holdsSomething} and ${isCalm})::float8 as attachments,
      (select count(*) from turn_traces r join conversations c on c.organization_id = r.organization_id and c.id = r.conversation_id
        where r.organization_id = ${ctx.organizationId} and r.created_at < ${traces} and ${isCalm})::float8 as traces`.execute(
    ctx.db,
  )
  return rows[0] ?? { messages: 0, attachments: 0, traces: 0 }
}

/** Conversations with data that is old enough but that are not calm, by the first reason that applies. */
export async function countLeftAlone(ctx: OrgStoreContext, cutoffs: Cutoffs): Promise<LeftAlone> {
  const { messages, attachments, traces } = cutoffs
  const own = (
    table: 'messages' | 'attachments' | 'turn_traces',
    name: string,
  ) => sql`from ${sql.table(table)} ${sql.ref(name)}
    where ${sql.ref(`${name}.organization_id`)} = c.organization_id and ${sql.ref(`${name}.conversation_id`)} = c.id`
  const { rows } = await sql<Required<LeftAlone>>`
    select count(*) filter (where is_held)::float8 as held,
      count(*) filter (where not is_held and status = 'paused')::float8 as paused,
      count(*) filter (where not is_held and status <> 'paused' and is_waiting)::float8 as waiting,
      count(*) filter (where not is_held and status <> 'paused' and not is_waiting)::float8 as sending
    from (select c.status, ${isHeld} as is_held, c.needs_person or c.waiting_since is not null as is_waiting from conversations c
      where c.organization_id = ${ctx.organizationId} and c.channel <> 'test' and (${isHeld} or not ${isAtRest})
        and c.created_at < greatest(${messages}::timestamptz, ${attachments}::timestamptz, ${traces}::timestamptz)
        and (exists (select ${own('messages', 'm')} and m.created_at < ${messages})
          or exists (select ${own('attachments', 'a')} and a.created_at < ${attachments} and ${holdsSomething})
          or exists (select ${own('turn_traces', 'r')} and r.created_at < ${traces}))) c`.execute(ctx.db)
  const { held, ...left } = rows[0] ?? { held: 0, paused: 0, waiting: 0, sending: 0 }
  return { ...left, ...(held > 0 && { held }) }
}

/** What the last receipt of the settings lists as left alone; null: there is none. */
export async function findLastLeft(ctx: OrgStoreContext): Promise<LeftAlone | null> {
  const row = await ctx.db
    .selectFrom('deletion_log')
    .where('organization_id', '=', ctx.organizationId)
    .where('kind', '=', 'retention')
    .select('counts')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.counts.left ?? null
}

const holdsSomething = sql<boolean>`(a.file_key is not null or a.external_file_id is not null or a.text is not null)`

/** Some calm conversations whose first message is older, oldest first. */
export async function listWithOldMessages(
  ctx: OrgStoreContext,
  cutoff: Date,
  after: CursorPosition | null,
  limit: number,
): Promise<({ id: Id<'conversations'> } & CursorPosition)[]> {
  const behind: RawBuilder<boolean> = after
    ? sql`(c.created_at, c.id) > (${after.createdAt}::timestamptz, ${after.id})`
    : sql`true`
  const { rows } = await sql<{ id: Id<'conversations'> } & CursorPosition>`
    select c.id, c.created_at::text as "createdAt" from conversations c
    where c.organization_id = ${ctx.organizationId} and c.channel <> 'test' and c.created_at < ${cutoff} and ${behind}
      and coalesce((select m.created_at from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
        order by m.sequence limit 1), c.last_message_at) < ${cutoff}
      and ${isCalm}
    order by c.created_at, c.id limit ${limit}`.execute(ctx.db)
  return rows
}

/** Locks a conversation if it is calm: it stays so until the transaction ends. */
export async function holdCalm(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<boolean> {
  await keepHoldsAsTheyAre(ctx)
  const { rows } =
    await sql`select from conversations c where c.organization_id = ${ctx.organizationId} and c.id = ${id}
    for update`.execute(ctx.db)
  if (rows.length === 0) return false
  const found = await sql`select from conversations c where c.organization_id = ${ctx.organizationId} and c.id = ${id}
    and ${isCalm}`.execute(ctx.db)
  return found.rows.length > 0
}

/**
 * Removes some old messages of a locked conversation, with their parts, their attachments, what was proposed from them, and the records and
 * searches of the turns that led to them. Summaries, which may quote them, are removed as well.
 *
 * @returns how many messages were removed, and where their files are
 */
export async function deleteOldMessages(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  cutoff: Date,
  limit: number,
): Promise<{ removed: number; keys: string[] }> {
  const old = await ctx.db
    .selectFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', id)
    .where('created_at', '<', cutoff)
    .select(['id', 'author', 'turn_id'])
    .orderBy('sequence')
    .limit(limit)
    .execute()
  if (old.length === 0) return { removed: 0, keys: [] }
  const messageIds = old.map((message) => message.id)
  const keys = await deleteWith(ctx, id, messageIds)
  await deleteTurnsBefore(ctx, id, cutoff)
  await deleteQueriesBefore(ctx, id, cutoff)
  const counted = old.filter(({ author }) => author !== 'system').length
  await forgetMessages(ctx, id, { count: counted, cutoff })
  return { removed: old.length, keys }
}

async function deleteWith(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  messageIds: Id<'messages'>[],
): Promise<string[]> {
  const files = await ctx.db
    .selectFrom('attachments')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', id)
    .where('message_id', 'in', messageIds)
    .where('file_key', 'is not', null)
    .select('file_key')
    .execute()
  await deletePartsOf(ctx, id, messageIds)
  await deleteProposalsOf(ctx, id, messageIds)
  await deleteMessages(ctx, id, messageIds)
  return files.flatMap(({ file_key: key }) => key ?? [])
}

/**
 * Removes a locked conversation without messages since the cutoff; and its customer, with all contacts that are one with them, when these
 * have no other one.
 */
export async function deleteEmptied(ctx: OrgStoreContext, id: Id<'conversations'>, cutoff: Date): Promise<boolean> {
  const emptied = await deleteEmptyConversation(ctx, id, cutoff)
  if (emptied) await deleteWithoutConversations(ctx, emptied.customerId)
  return emptied !== undefined
}

/** Removes the content of some old attachments of calm conversations; that there was one stays visible. @returns how many, and where the files are */
export async function emptyOldAttachments(
  ctx: OrgStoreContext,
  cutoff: Date,
  limit: number,
): Promise<{ removed: number; keys: string[] }> {
  await keepHoldsAsTheyAre(ctx)
  const keys = await emptyAttachments(ctx, { cutoff, limit, mayGo: sql<boolean>`${holdsSomething} and ${isCalm}` })
  return { removed: keys.length, keys: keys.flatMap((key) => key ?? []) }
}

/** Removes some old records of turns of calm conversations. @returns how many */
export async function deleteOldTraces(ctx: OrgStoreContext, cutoff: Date, limit: number): Promise<number> {
  await keepHoldsAsTheyAre(ctx)
  return deleteTraces(ctx, { cutoff, limit, isCalm })
}

/**
 * Removes the content of some old notifications of channels: the messages in them were stored separately, and a copy is still known by its
 * key. Of a connection that knows a person on legal hold, only that of others' messages: whom the rest is about is unknown.
 */
export async function emptyOldInbound(ctx: OrgStoreContext, cutoff: Date, limit: number): Promise<number> {
  await keepHoldsAsTheyAre(ctx)
  const mayGo = sql<boolean>`(not exists (select from customers k where k.organization_id = i.organization_id and k.connection_id = i.connection_id
            and ${isOnLegalHold(sql`k.id`)})
          or exists (select from messages m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
            where m.organization_id = i.organization_id and m.id = i.message_id and not ${isHeld}))`
  return emptyOld(ctx, { cutoff, limit, mayGo })
}

/** Records what was removed. */
export async function insertRemoval(
  ctx: OrgStoreContext,
  removal: { kind: Removal['kind']; userId: Id<'users'> | null; counts: Removal['counts'] },
): Promise<Id<'removals'>> {
  const id = newId('removals')
  await ctx.db
    .insertInto('deletion_log')
    .values({
      id,
      organization_id: ctx.organizationId,
      kind: removal.kind,
      user_id: removal.userId,
      counts: JSON.stringify(removal.counts),
    })
    .execute()
  return id
}

/** Recent removals, the latest first. */
export async function listRemovals(ctx: OrgStoreContext): Promise<Removal[]> {
  const rows = await ctx.db
    .selectFrom('deletion_log')
    .leftJoin('users', 'users.id', 'deletion_log.user_id')
    .where('deletion_log.organization_id', '=', ctx.organizationId)
    .select(['deletion_log.id', 'deletion_log.kind', 'deletion_log.counts', 'deletion_log.created_at'])
    .select(['users.id as user_id', 'users.name as user_name'])
    .orderBy('deletion_log.created_at', 'desc')
    .orderBy('deletion_log.id', 'desc')
    .limit(LISTED)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    kind: row.kind,
    author: row.user_id === null ? null : { _id: row.user_id, name: row.user_name ?? '' },
    counts: row.counts,
    at: row.created_at.getTime(),
  }))
}
