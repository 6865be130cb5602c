// SQL of the inbox's list: filters, order, pages.
import { sql } from 'kysely'
import type { OrgQueryContext } from '#server/functions/context.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { behind, cursorAt, type Page, paginate } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { BULK_MAX, THREAD_PARTS_LISTED, UNREAD_COUNTED_MAX } from '#shared/limits.ts'
import type {
  Conversation,
  ConversationFilter,
  DeliveryStatus,
  Matching,
  Neighbours,
  UnreadCount,
} from '#shared/messaging/conversations.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { type ConversationRow, conversations, toConversations } from './conversations.store.ts'

type ConversationId = Id<'conversations'>
/** What a filter's tag comes to where few conversations have it; null: many have it, or there is no tag. */
export type FewTagged = Id<'conversations'>[] | null
type ListContext = Pick<OrgQueryContext, 'db' | 'organizationId' | 'journal'>

/** So many conversations with a tag are looked up one by one; of more, a page is soon found in the order of the list. */
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

/** What the list holds from its first page to its last, by ids alone and as far as it can be changed at once. */
export async function listMatching(ctx: ListContext, filter: ConversationFilter): Promise<Matching> {
  const { by, direction } = ORDERS[filter.sort ?? 'newest']
  let query = listed(ctx, filter, await fewTagged(ctx, filter))
    .clearSelect()
    .select('conversations.id')
  for (const [column] of by) query = query.orderBy(column, direction)
  const rows = await query.limit(BULK_MAX + 1).execute()
  return { conversationIds: rows.slice(0, BULK_MAX).map(({ id }) => id), isMore: rows.length > BULK_MAX }
}

/** Of those that pass the filter, the one before and the one after a conversation, in the order of the list. @throws AppError not_found */
export async function listNeighbours(
  ctx: ListContext,
  id: Id<'conversations'>,
  filter: ConversationFilter,
): Promise<Neighbours> {
  const order = ORDERS[filter.sort ?? 'newest']
  const query = listed(ctx, filter, await fewTagged(ctx, filter)).where('conversations.id', '<>', id)
  const place = await conversations(ctx)
    .where('conversations.id', '=', id)
    .where('conversations.channel', '<>', sql.lit('test'))
    .select((eb) => eb.cast<string | null>(order.by[0][0], 'text').as('at'))
    .executeTakeFirst()
  if (!place) throw new AppError('not_found')
  const nextTo = async (direction: 'asc' | 'desc') => {
    const towards = { ...order, direction }
    const cursor = place.at === null ? null : cursorAt(towards, [place.at, id])
    const { page } = await paginate({ db: ctx.db }, query, { numItems: 1, cursor }, towards, (row) => row.id)
    return page[0] ?? null
  }
  const { direction } = order
  return {
    // Who does not wait stands before everybody who does: from there it goes on to the longest wait.
    previous: place.at === null ? null : await nextTo(direction === 'asc' ? 'desc' : 'asc'),
    next: await nextTo(direction),
  }
}

/** How many conversations of the inbox are unread: no more entries of their index are read than are counted. */
export async function countUnread(ctx: ListContext): Promise<UnreadCount> {
  const rows = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('channel', '<>', sql.lit('test'))
    .where('place', '=', sql.lit('inbox'))
    .where('unread_count', '>', sql.lit(0))
    .select('id')
    // The order of the index that holds them: without it a whole table may look cheaper.
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
 * Conversations with customers that pass the filter, in no order; in that of waiting there are only those that wait. Constants that decide
 * between indexes are not parameters: those would not lead to an index that holds only a few rows.
 *
 * @param few of the tag (see fewTagged); null where so few are asked for that it does not matter
 */
export function filtered(ctx: OrgStoreContext, filter: ConversationFilter, few: FewTagged) {
  const { place = 'inbox', status, agentId, channel, tag, assigneeId, since, until } = filter
  let query = conversations(ctx)
    .where('conversations.channel', '<>', sql.lit('test'))
    .where('conversations.place', '=', sql.lit(place))
  if (status !== undefined) query = query.where('conversations.status', '=', status)
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
  if (filter.sort === 'waiting') query = query.where('conversations.waiting_since', 'is not', null)
  // As one list, which is looked up: how many there are is guessed badly, and a guess too high would read conversation after conversation.
  if (filter.hasProblem)
    query = query.where('conversations.id', '=', sql<ConversationId>`any(array(${undelivered(ctx)}))`)
  return query
}

/** What a filter lets through, for statements that look for something in it; behind a place (see `cursorOf`), unless that is null. */
export type Passing = { filter: ConversationFilter; few: FewTagged; cursor: string | null }
/** Where a conversation stands among others, the one that was last spoken in first: `at` as text, to the microsecond. */
export type Place = { at: string; id: ConversationId }

export function cursorOf({ at, id }: Place): string {
  return cursorAt(ORDERS.newest, [at, id])
}

/** Ids of what a filter lets through, with whose they are and when something was last said in them; in no order. */
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

/** The same as a list, in which what is shown as one stands once. */
function listed(ctx: ListContext, filter: ConversationFilter, few: FewTagged) {
  const query = filtered(ctx, filter, few)
  return isNarrowed(filter) ? query : shownOnce(ctx, query)
}

/** Whether only some of a place are wanted: then every conversation counts for itself, whatever it is shown with. */
function isNarrowed({ place: _, sort, ...narrowing }: ConversationFilter): boolean {
  return sort === 'waiting' || Object.values(narrowing).some((value) => value !== undefined)
}

/** Of each thread in this place, the conversation that was spoken in last; and whatever wants somebody's attention. */
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
            .whereRef('newer.place', '=', 'conversations.place')
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
 * The conversations with the tag of a filter, where few have it; else null. A plan that is kept for all tags cannot know which it is: for a
 * rare one it would read conversation after conversation.
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

/** What a pause has withheld is no problem, and neither is a question that was taken back: somebody wanted it so. */
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
