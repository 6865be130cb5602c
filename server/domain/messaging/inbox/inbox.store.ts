// SQL of the inbox's list: filters, order, pages.
import { sql } from 'kysely'
import { conversationsWith } from '#server/domain/analytics/facts.store.ts'
import type { OrgQueryContext } from '#server/functions/context.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { behind, cursorAt, type Page, paginate } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { BULK_MAX, THREAD_PARTS_LISTED, UNREAD_COUNTED_MAX } from '#shared/limits.ts'
import type {
  Conversation,
  ConversationCount,
  ConversationFilter,
  DeliveryStatus,
  Matching,
  Neighbours,
  UnreadCount,
} from '#shared/messaging/conversations.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { type ConversationRow, conversations, toConversations } from './conversations.store.ts'

type ConversationId = Id<'conversations'>
/** The conversations of a filter's tag where few have it; null: many have it, or there is no tag. */
export type FewTagged = Id<'conversations'>[] | null
type ListContext = Pick<OrgQueryContext, 'db' | 'organizationId' | 'journal'>

/** Up to this many conversations with a tag are looked up one by one; of more, a page is soon found in the order of the list. */
const FEW_TAGGED = 500
const UNDELIVERED = ['failed', 'unknown'] as const

const ORDERS = {
  newest: orderBy('conversations.last_message_at', 'desc'),
  oldest: orderBy('conversations.last_message_at', 'asc'),
  waiting: orderBy('conversations.waiting_since', 'asc'),
} as const

/** Conversations with customers that pass the filter, in its order. */
export async function listConversations(
  ctx: ListContext,
  filter: ConversationFilter,
  opts: PaginationOpts,
): Promise<Page<Conversation>> {
  const order = ORDERS[filter.sort ?? 'newest']
  const query = listed(ctx, filter, await fewTagged(ctx, filter))
  const page = await paginate(ctx, query, opts, order, (row): ConversationRow => row)
  return { ...page, page: await toConversations(ctx, page.page, THREAD_PARTS_LISTED) }
}

/** All ids that pass the filter, from the first page to the last, as far as they can be changed at once. */
export async function listMatching(ctx: ListContext, filter: ConversationFilter): Promise<Matching> {
  const { by, direction } = ORDERS[filter.sort ?? 'newest']
  let query = listed(ctx, filter, await fewTagged(ctx, filter))
    .clearSelect()
    .select('conversations.id')
  for (const [column] of by) query = query.orderBy(column, direction)
  const rows = await query.limit(BULK_MAX + 1).execute()
  return { conversationIds: rows.slice(0, BULK_MAX).map(({ id }) => id), isMore: rows.length > BULK_MAX }
}

/** How many pass the filter; each counts for itself, whatever it is shown with. */
export async function countMatching(ctx: ListContext, filter: ConversationFilter): Promise<ConversationCount> {
  const { sort: _, ...narrowing } = filter
  const { count } = await filtered(ctx, narrowing, await fewTagged(ctx, filter))
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count) }
}

/** Of those that pass the filter, the one before and the one after a conversation, in the order of the list. @throws AppError not_found */
export async function listNeighbours(
  ctx: ListContext,
  id: Id<'conversations'>,
  filter: ConversationFilter,
): Promise<Neighbours> {
  const order = ORDERS[filter.sort ?? 'newest']
  const query = listed(ctx, filter, await fewTagged(ctx, filter)).where('conversations.id', '<>', id)
  const position = await conversations(ctx)
    .where('conversations.id', '=', id)
    .where('conversations.channel', '<>', sql.lit('test'))
    .select((eb) => eb.cast<string | null>(order.by[0][0], 'text').as('at'))
    .executeTakeFirst()
  if (!position) throw new AppError('not_found')
  const nextTo = async (direction: 'asc' | 'desc') => {
    const towards = { ...order, direction }
    const cursor = position.at === null ? null : cursorAt(towards, [position.at, id])
    const { page } = await paginate({ db: ctx.db }, query, { numItems: 1, cursor }, towards, (row) => row.id)
    return page[0] ?? null
  }
  const { direction } = order
  return {
    // Conversations that do not wait come before all that do: from there it continues with the longest wait.
    previous: position.at === null ? null : await nextTo(direction === 'asc' ? 'desc' : 'asc'),
    next: await nextTo(direction),
  }
}

/** How many conversations of the inbox are unread: reads no more entries of their index than it counts. */
export async function countUnread(ctx: ListContext): Promise<UnreadCount> {
  const rows = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('channel', '<>', sql.lit('test'))
    .where('folder', '=', sql.lit('inbox'))
    .where('unread_count', '>', sql.lit(0))
    .select('id')
    // The order of the index that contains them: without it a table scan may look cheaper.
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(UNREAD_COUNTED_MAX + 1)
    .execute()
  return { count: Math.min(rows.length, UNREAD_COUNTED_MAX), isMore: rows.length > UNREAD_COUNTED_MAX }
}

/** Of these conversations, those that pass the filter, in its order. */
export async function listThese(
  ctx: ListContext,
  ids: Id<'conversations'>[],
  filter: ConversationFilter,
): Promise<Conversation[]> {
  if (ids.length === 0) return []
  const { by, direction } = ORDERS[filter.sort ?? 'newest']
  let query = filtered(ctx, filter, null).where('conversations.id', 'in', ids)
  for (const [column] of by) query = query.orderBy(column, direction)
  return toConversations(ctx, await query.execute(), THREAD_PARTS_LISTED)
}

/**
 * Conversations with customers that pass the filter, unordered; for the order of waiting, only those that wait. Constants on which the
 * choice of an index depends are not parameters: those would not match a partial index.
 *
 * @param few of the tag (see fewTagged); null where so few are asked for that it does not matter
 */
export function filtered(ctx: OrgStoreContext, filter: ConversationFilter, few: FewTagged) {
  const { folder = 'inbox', status, agentId, channel, tag, assigneeId, since, until } = filter
  let query = conversations(ctx).where('conversations.channel', '<>', sql.lit('test'))
  const column = few || filter.hasProblem ? unindexed('conversations.folder') : 'conversations.folder'
  query = folder === 'kept' ? query.where(column, '<>', sql.lit('deleted')) : query.where(column, '=', sql.lit(folder))
  if (status !== undefined) query = query.where('conversations.status', '=', sql.lit(status))
  if (agentId !== undefined) query = query.where('conversations.agent_id', '=', agentId)
  if (channel !== undefined) query = query.where('conversations.channel', '=', channel)
  if (assigneeId === null) query = query.where('conversations.assignee_id', 'is', null)
  else if (assigneeId !== undefined) query = query.where('conversations.assignee_id', '=', assigneeId)
  if (since !== undefined) query = query.where('conversations.last_message_at', '>=', new Date(since))
  if (until !== undefined) query = query.where('conversations.last_message_at', '<', new Date(until))
  if (filter.isUnread) query = query.where('conversations.unread_count', '>', sql.lit(0))
  if (filter.needsPerson) query = query.where('conversations.needs_person', '=', sql.lit(true))
  if (few) query = query.where('conversations.id', '=', sql<ConversationId>`any(${few}::text[])`)
  else if (tag !== undefined) query = query.where('conversations.id', 'in', tagged(ctx, tag))
  if (filter.facts) query = query.where('conversations.id', 'in', conversationsWith(ctx, filter.facts))
  if (filter.sort === 'waiting') query = query.where('conversations.waiting_since', 'is not', null)
  // As one list, which is looked up: its size is estimated badly, and an estimate too high would read conversation after conversation.
  if (filter.hasProblem)
    query = query.where('conversations.id', '=', sql<ConversationId>`any(array(${undelivered(ctx)}))`)
  return query
}

/**
 * A column that no index is used for. Where a filter names few rows they are to be looked up; with the index of the list, PostgreSQL up to 16
 * reads the whole list in its order instead.
 */
function unindexed(column: 'conversations.folder') {
  return sql<string>`${sql.ref(column)} || ''`
}

/** What a filter lets through, for statements that search in it; after a position (see `cursorOf`), unless that is null. */
export type Passing = { filter: ConversationFilter; few: FewTagged; cursor: string | null }
/** The position of a conversation among others, by its last message, newest first: `at` as text, to the microsecond. */
export type CursorPosition = { at: string; id: ConversationId }

export function cursorOf({ at, id }: CursorPosition): string {
  return cursorAt(ORDERS.newest, [at, id])
}

/** Ids of what a filter lets through, with their customers and the time of their last message; unordered. */
export function passingIds(ctx: OrgStoreContext, { filter, few, cursor }: Passing) {
  const query = filtered(ctx, filter, few)
  return (cursor === null ? query : behind(query, ORDERS.newest, cursor))
    .clearSelect()
    .select([
      'conversations.id',
      'conversations.customer_id',
      'conversations.last_message_at',
      'conversations.message_count',
    ])
}

/** The same as a list, with each thread once. */
function listed(ctx: ListContext, filter: ConversationFilter, few: FewTagged) {
  const query = filtered(ctx, filter, few)
  return isNarrowed(filter) ? query : shownOnce(ctx, query)
}

/** Whether the filter narrows a folder: then every conversation counts for itself, whatever it is shown with. */
function isNarrowed({ folder: _, sort, ...narrowing }: ConversationFilter): boolean {
  return sort === 'waiting' || Object.values(narrowing).some((value) => value !== undefined)
}

/** Of each thread in this folder, the conversation with the last message; and every one that needs attention. */
function shownOnce({ organizationId }: OrgStoreContext, query: ReturnType<typeof conversations>) {
  return query.where((eb) =>
    eb.or([
      eb('conversations.thread_id', 'is', null),
      eb('conversations.unread_count', '>', sql.lit(0)),
      eb('conversations.waiting_since', 'is not', null),
      eb.not(
        eb.exists(
          eb
            .selectFrom('conversations as newer')
            .where('newer.organization_id', '=', organizationId)
            .whereRef('newer.thread_id', '=', 'conversations.thread_id')
            .whereRef('newer.folder', '=', 'conversations.folder')
            .where(({ eb: than, or, and, ref }) =>
              or([
                than('newer.last_message_at', '>', ref('conversations.last_message_at')),
                and([
                  than('newer.last_message_at', '=', ref('conversations.last_message_at')),
                  than('newer.id', '>', ref('conversations.id')),
                ]),
              ]),
            )
            .select('newer.id'),
        ),
      ),
    ]),
  )
}

/**
 * The conversations with the tag of a filter, where few have it; else null. A generic plan for all tags cannot know whether one is rare:
 * for a rare one it would read conversation after conversation.
 */
export async function fewTagged(ctx: OrgStoreContext, { tag }: ConversationFilter): Promise<FewTagged> {
  if (tag === undefined) return null
  const rows = await tagged(ctx, tag)
    .orderBy('conversation_tags.conversation_id') // as their index has them
    .limit(FEW_TAGGED + 1)
    .execute()
  return rows.length > FEW_TAGGED ? null : rows.map((row) => row.conversation_id)
}

function tagged({ db, organizationId }: OrgStoreContext, tag: string) {
  return db
    .selectFrom('conversation_tags')
    .where('conversation_tags.organization_id', '=', organizationId)
    .where('conversation_tags.tag', '=', tag)
    .select('conversation_tags.conversation_id')
}

/** What a pause has withheld is no problem, and neither is a retracted question: both were intended. */
function undelivered({ db, organizationId }: OrgStoreContext) {
  return db
    .selectFrom('outbox')
    .where('outbox.organization_id', '=', organizationId)
    .where(
      'outbox.status',
      'in',
      UNDELIVERED.map((status) => sql.lit<DeliveryStatus>(status)),
    )
    .where('outbox.error', 'is distinct from', sql.lit('paused'))
    .where('outbox.error', 'is distinct from', sql.lit('rating_taken_back'))
    .select('outbox.conversation_id')
}

function orderBy<Column extends string, Direction extends 'asc' | 'desc'>(column: Column, direction: Direction) {
  return {
    by: [
      [column, 'instant'],
      ['conversations.id', 'text'],
    ],
    direction,
  } as const
}
