// SQL for the log of agents' knowledge searches.
import { type SqlBool, sql } from 'kysely'
import { isOnLegalHold, keepHoldsAsTheyAre } from '#server/domain/messaging/customers/legal-hold.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { type Page, paginate } from '#server/platform/functions/paginate.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeGap, KnowledgeQuery } from '#shared/knowledge/knowledge-queries.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import type { LoggedQuery } from './queries.rules.ts'

type SpaceId = Id<'knowledgeSpaces'>

/** The turn that has made the searches. */
export type SearchingTurn = {
  turnId: Id<'turns'>
  conversationId: Id<'conversations'>
  channel: Channel
  spaceIds: SpaceId[]
}

/** Newest questions among which gaps are counted. */
const COUNTED = 5_000
const WORDINGS_KEPT = 5
/** Newest questions of a gap among which different wordings are looked for. */
const WORDINGS_READ = 50

/** Adds the searches of a turn, in one statement. Safe to repeat. */
export async function insertQueries(ctx: OrgStoreContext, turn: SearchingTurn, queries: LoggedQuery[]): Promise<void> {
  if (queries.length === 0) return
  await ctx.db
    .insertInto('knowledge_queries')
    .values(
      queries.map((query) => ({
        organization_id: ctx.organizationId,
        turn_id: turn.turnId,
        position: query.position,
        conversation_id: turn.conversationId,
        channel: turn.channel,
        space_ids: JSON.stringify(turn.spaceIds),
        query: query.query,
        gist: query.gist,
        is_weak: query.isWeak,
        found: JSON.stringify(query.found),
        has_found_little: query.hasFoundLittle,
      })),
    )
    .onConflict((conflict) => conflict.columns(['turn_id', 'position']).doNothing())
    .execute()
}

/** Logged searches, newest first; without a space in all of them. */
export function listQueries(
  ctx: OrgStoreContext,
  spaceId: SpaceId | undefined,
  opts: PaginationOpts,
): Promise<Page<KnowledgeQuery>> {
  const query = logged(ctx, spaceId).select([
    'turn_id',
    'position',
    'conversation_id',
    'channel',
    'query',
    'is_weak',
    'found',
    'asked_at',
  ])
  const order = {
    by: [
      ['asked_at', 'instant'],
      ['turn_id', 'text'],
      ['position', 'integer'],
    ],
    direction: 'desc',
  } as const
  return paginate(ctx, query, opts, order, (row) => ({
    turnId: row.turn_id,
    position: row.position,
    conversationId: row.conversation_id,
    channel: row.channel,
    query: row.query,
    isWeak: row.is_weak,
    found: row.found,
    askedAt: row.asked_at.getTime(),
  }))
}

/** The newest open questions with few hits, grouped with equal ones, the most frequent first. */
export async function listGaps(
  ctx: OrgStoreContext,
  spaceId: SpaceId | undefined,
  limit: number,
): Promise<KnowledgeGap[]> {
  const newest = logged(ctx, spaceId)
    .where('has_found_little', '=', true)
    .where('is_settled', '=', false)
    .select(['gist', 'query', 'conversation_id', 'asked_at'])
    .orderBy('asked_at', 'desc')
    .orderBy('turn_id')
    .orderBy('position')
    .limit(COUNTED)
  const rows = await ctx.db
    .selectFrom(newest.as('newest'))
    .groupBy('gist')
    .select((eb) => [
      'gist',
      eb.fn.countAll<string>().as('count'),
      eb.fn.count<string>('conversation_id').distinct().as('conversations'),
      eb.fn.max('asked_at').as('last_asked_at'),
      sql<string[]>`(array_agg(query order by asked_at desc))[1:${sql.lit(WORDINGS_READ)}]`.as('wordings'),
    ])
    .orderBy('count', 'desc')
    .orderBy('last_asked_at', 'desc')
    .orderBy('gist')
    .limit(limit)
    .execute()
  return rows.map(({ gist, wordings, count, conversations, last_asked_at }) => ({
    gist,
    query: wordings[0] ?? '',
    wordings: [...new Set(wordings)].slice(0, WORDINGS_KEPT),
    count: Number(count),
    conversations: Number(conversations),
    lastAskedAt: last_asked_at.getTime(),
  }))
}

/** Takes a gap off the list until it is asked again. Safe to repeat. */
export async function settleGap(ctx: OrgStoreContext, gist: string, spaceId: SpaceId | undefined): Promise<void> {
  await ctx.db
    .updateTable('knowledge_queries')
    .set({ is_settled: true })
    .where('organization_id', '=', ctx.organizationId)
    .where('gist', '=', gist)
    .where('has_found_little', '=', true)
    .where('is_settled', '=', false)
    .$if(spaceId !== undefined, (query) => query.where(hasSearched(spaceId)))
    .execute()
}

/** Organizations with searches logged before then. */
export async function listWithOldQueries(ctx: StoreContext, before: Date): Promise<Id<'organizations'>[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_queries')
    .where('asked_at', '<', before)
    .select('organization_id')
    .distinct()
    .execute()
  return rows.map((row) => row.organization_id)
}

/** Deletes searches logged before then, except those of customers on legal hold. */
export async function deleteQueries(ctx: OrgStoreContext, before: Date): Promise<void> {
  await keepHoldsAsTheyAre(ctx)
  await sql`delete from knowledge_queries q where q.organization_id = ${ctx.organizationId} and q.asked_at < ${before}
    and not exists (select from conversations c where c.organization_id = q.organization_id and c.id = q.conversation_id
      and ${isOnLegalHold(sql`c.customer_id`)})`.execute(ctx.db)
}

function logged(ctx: OrgStoreContext, spaceId: SpaceId | undefined) {
  return ctx.db
    .selectFrom('knowledge_queries')
    .where('organization_id', '=', ctx.organizationId)
    .$if(spaceId !== undefined, (query) => query.where(hasSearched(spaceId)))
}

function hasSearched(spaceId: SpaceId | undefined) {
  return sql<SqlBool>`space_ids @> ${JSON.stringify([spaceId])}::jsonb`
}

/** Forgets what was looked up in a conversation before then. */
export async function deleteQueriesBefore(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  cutoff: Date,
): Promise<void> {
  await sql`delete from knowledge_queries where organization_id = ${ctx.organizationId} and conversation_id = ${conversationId}
    and asked_at < ${cutoff}`.execute(ctx.db)
}
