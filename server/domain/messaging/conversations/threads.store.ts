// SQL of threads: conversations of one customer that are shown as one.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ThreadPart } from '#shared/messaging/conversations.ts'
import type { Mergeable } from './threads.rules.ts'

type ConversationId = Id<'conversations'>

/** The conversations of a conversation's thread, in one order; it alone when it has none. @throws AppError not_found */
export async function listThreadIds(ctx: OrgStoreContext, id: ConversationId): Promise<ConversationId[]> {
  const ids = await withThreads(ctx, [id])
  if (ids.length === 0) throw new AppError('not_found')
  return ids
}

/** Those of these conversations with customers that exist, with all that are in a thread with them, in one order. */
export async function withThreads(ctx: OrgStoreContext, ids: ConversationId[]): Promise<ConversationId[]> {
  const rows = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .where('channel', '<>', 'test')
    .select(['id', 'thread_id'])
    .execute()
  const threads = [...new Set(rows.flatMap((row) => row.thread_id ?? []))]
  const others = threads.length === 0 ? [] : await listIn(ctx, threads)
  return [...new Set([...rows.map((row) => row.id), ...others.map((row) => row.id)])].sort()
}

/** Conversations that are to be merged, locked in the order in which all transactions lock several. */
export async function holdMergeable(ctx: OrgStoreContext, ids: ConversationId[]): Promise<Mergeable[]> {
  return ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .where('channel', '<>', 'test')
    .select(['id', 'folder', 'customer_id as customerId', 'thread_id as threadId'])
    .select((eb) =>
      eb
        .selectFrom('customers')
        .where('customers.organization_id', '=', ctx.organizationId)
        .whereRef('customers.id', '=', 'conversations.customer_id')
        .select(({ fn }) => fn.coalesce('customers.person_id', 'customers.id').as('id'))
        .as('personId'),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Puts conversations into a thread of their own, over those in which they are. @returns its id */
export async function beginThread(ctx: OrgStoreContext, ids: ConversationId[]): Promise<Id<'threads'>> {
  const threadId = newId('threads')
  await ctx.db
    .updateTable('conversations')
    .set({
      thread_id: threadId,
      earlier_threads: sql<string>`case when thread_id is null then earlier_threads else earlier_threads || to_jsonb(thread_id) end`,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
  return threadId
}

/** A message to the customer in one of them answers their earlier messages in these too. The caller holds their rows. */
export async function answerWith(
  ctx: OrgStoreContext,
  messageId: Id<'messages'>,
  ids: ConversationId[],
): Promise<void> {
  if (ids.length === 0) return
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      answered_through: eb
        .selectFrom('messages')
        .where('messages.organization_id', '=', ctx.organizationId)
        .where('messages.id', '=', messageId)
        .select('messages.sequence'),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** Ends a thread: each conversation returns to the one before, or to none. @returns which they were */
export async function endThread(ctx: OrgStoreContext, threadId: Id<'threads'>): Promise<ConversationId[]> {
  const ids = (await listIn(ctx, [threadId])).map(({ id }) => id)
  const held = ids.length === 0 ? [] : await holdMergeable(ctx, ids)
  if (held.length === 0) return []
  const rows = await ctx.db
    .updateTable('conversations')
    .set({
      thread_id: sql<Id<'threads'> | null>`earlier_threads ->> -1`,
      earlier_threads: sql<string>`earlier_threads - (-1)`,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('thread_id', '=', threadId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Threads in which a person, all of whose contacts are given, stands together with another person. */
export async function listSharedWithStrangers(
  ctx: OrgStoreContext,
  person: Id<'customers'>[],
): Promise<Id<'threads'>[]> {
  const rows = await ctx.db
    .selectFrom('conversations')
    .innerJoin('conversations as others', 'others.thread_id', 'conversations.thread_id')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('others.organization_id', '=', ctx.organizationId)
    .where('conversations.customer_id', 'in', person)
    .where('others.customer_id', 'not in', person)
    .select('conversations.thread_id')
    .distinct()
    .execute()
  return rows.flatMap((row) => row.thread_id ?? [])
}

/**
 * Ends threads in which a person, all of whose contacts are given, stands together with another person: each of these conversations returns
 * to the last thread before that was of one person alone, or to none. A thread holds everyone who was in those before it: once one is
 * shared, all after it are.
 */
export async function endShared(ctx: OrgStoreContext, ids: ConversationId[], person: Id<'customers'>[]): Promise<void> {
  await holdMergeable(ctx, ids)
  await sql`
    with stood as (
      select c.id, c.customer_id, thread.id as thread_id, thread.number
      from conversations c
        cross join lateral jsonb_array_elements_text(c.earlier_threads || to_jsonb(c.thread_id)) with ordinality as thread (id, number)
      where c.organization_id = ${ctx.organizationId} and c.id = any(${ids}::text[])
    ), shared as (
      select thread_id from stood group by thread_id
      having bool_or(customer_id = any(${person}::text[])) and bool_or(customer_id <> all(${person}::text[]))
    ), kept as (
      select id, coalesce(jsonb_agg(thread_id order by number) filter (where thread_id not in (select thread_id from shared)), '[]') as threads
      from stood group by id
    )
    update conversations c set thread_id = kept.threads ->> -1, earlier_threads = kept.threads - (-1)
    from kept where c.organization_id = ${ctx.organizationId} and c.id = kept.id`.execute(ctx.db)
}

/** Notes in the first of them who has merged or separated the conversations. */
export async function noteThreads(
  ctx: OrgStoreContext,
  lines: { conversationId: ConversationId; by: Id<'users'>; reason: 'merged' | 'separated'; count: number }[],
): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, user_id, text, reason)
    select new.id, ${ctx.organizationId}, new.conversation_id, 'system', new.user_id, new.count, new.reason
    from unnest(${lines.map(() => newId('messages'))}::text[], ${lines.map((line) => line.conversationId)}::text[],
      ${lines.map(({ by }) => by)}::text[], ${lines.map(({ count }) => String(count))}::text[], ${lines.map(({ reason }) => reason)}::text[])
      as new (id, conversation_id, user_id, count, reason)`.execute(ctx.db)
}

/** The parts of threads, the conversation in which the customer has written last first: answers are sent by it. */
export async function listThreads(
  ctx: OrgStoreContext,
  threadIds: Id<'threads'>[],
): Promise<Map<Id<'threads'>, ThreadPart[]>> {
  const found = new Map<Id<'threads'>, ThreadPart[]>()
  if (threadIds.length === 0) return found
  const rows = await listIn(ctx, threadIds)
  const inOrder = rows.sort(
    (a, b) => Number(b.last_sequence ?? 0) - Number(a.last_sequence ?? 0) || (a.id < b.id ? -1 : 1),
  )
  for (const { thread_id: id, ...row } of inOrder) {
    if (id === null) continue
    const part = {
      _id: row.id,
      channel: row.channel,
      agentName: row.agent_name,
      status: row.status,
      unreadCount: row.unread_count,
    }
    const parts = found.get(id)
    if (parts) parts.push(part)
    else found.set(id, [part])
  }
  return found
}

function listIn(ctx: OrgStoreContext, threadIds: Id<'threads'>[]) {
  return ctx.db
    .selectFrom('conversations')
    .innerJoin('agents', 'agents.id', 'conversations.agent_id')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('agents.organization_id', '=', ctx.organizationId)
    .where('conversations.thread_id', 'in', threadIds)
    .select([
      'conversations.id',
      'conversations.thread_id',
      'conversations.channel',
      'conversations.status',
      'conversations.unread_count',
    ])
    .select((eb) => [
      'agents.name as agent_name',
      eb
        .selectFrom('messages')
        .where('messages.organization_id', '=', ctx.organizationId)
        .whereRef('messages.conversation_id', '=', 'conversations.id')
        .where('messages.author', '=', sql.lit('customer'))
        .select((inner) => inner.fn.max('messages.sequence').as('sequence'))
        .as('last_sequence'),
    ])
    .execute()
}
