// SQL for notes proposed from the replies of operators.
import { type Selectable, sql } from 'kysely'
import type { SealedKeys } from '#server/domain/agents/keys.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type {
  KnowledgeProposalsTable,
  ProposalState,
  ProposalUndo,
} from '#server/platform/db/tables/knowledge-proposals.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { AlikeSource, Learning, Proposal, WaitingProposals } from '#shared/knowledge/proposals.ts'
import { PROPOSALS_MAX } from '#shared/limits.ts'
import { changeLearning } from '../spaces/spaces.learning.store.ts'
import type { DialogueLine } from './proposals.rules.ts'

type SpaceId = Id<'knowledgeSpaces'>
export type StoredProposal = Selectable<KnowledgeProposalsTable>

/** Replies older than this are not learnt from any more, and younger than that not yet: the person may be writing on. */
const OLDEST = sql.lit('7 days')
const YOUNGEST = sql.lit('5 minutes')
/** Messages after the first of a reply that are searched for the rest of it. */
const AFTER = 8
const BEFORE = 12
/** Earlier proposals with which a new one is compared. */
const COMPARED = 500

/** Messages that operators sent in one go, and the agent whose model makes a note of them. */
export type Reply = {
  messageId: Id<'messages'>
  conversationId: Id<'conversations'>
  channel: Channel
  agentId: Id<'agents'>
  model: string
  monthlyLimitUsd: number | null
  keys: SealedKeys
  /** Of the customer and of those who have answered. */
  names: string[]
  lines: DialogueLine[]
}

/** Spaces of all organizations that learn from replies. */
export async function listLearningSpaces(
  ctx: StoreContext,
): Promise<{ organizationId: Id<'organizations'>; knowledgeSpaceId: SpaceId }[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('learns_from_replies', '=', true)
    .where('deleted_at', 'is', null)
    .select(['organization_id', 'id'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ organizationId: row.organization_id, knowledgeSpaceId: row.id }))
}

/** Replies that were not learned from yet, oldest first, of agents that use the space and have a model that can write, except these. */
export async function listReplies(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  without: readonly Id<'agents'>[],
  most: number,
): Promise<Reply[]> {
  const { rows } = await sql<Reply>`
    select m.id as "messageId", c.id as "conversationId", c.channel, a.id as "agentId", v.settings->>'model' as model,
      (v.settings #>> '{spending,monthlyLimitUsd}')::float8 as "monthlyLimitUsd",
      (select coalesce(json_object_agg(k.provider, k.key), '{}') from agent_keys k
        where k.organization_id = a.organization_id and k.agent_id = a.id) as keys,
      array_remove(array[u.name, o.name], null) as names,
      (select json_agg(json_build_object('id', d.id, 'author', d.author, 'text', d.text) order by d.sequence) from (
        (select * from messages b where b.organization_id = c.organization_id and b.conversation_id = c.id
          and b.author <> 'system' and b.status = 'complete' and b.sequence < m.sequence order by b.sequence desc limit ${BEFORE}::int)
        union all
        (select * from messages n where n.organization_id = c.organization_id and n.conversation_id = c.id
          and n.author <> 'system' and n.status = 'complete' and n.sequence >= m.sequence order by n.sequence limit ${AFTER}::int)) d) as lines
    from messages m
    join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
    join agents a on a.organization_id = c.organization_id and a.id = c.agent_id and a.deleted_at is null
    join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id and v.number = a.live_version
    join agent_knowledge_spaces l on l.organization_id = a.organization_id and l.agent_id = a.id
    left join customers u on u.organization_id = c.organization_id and u.id = c.customer_id
    left join users o on o.id = m.user_id
    where m.organization_id = ${ctx.organizationId} and l.knowledge_space_id = ${spaceId}
      and c.channel <> 'test' and c.last_message_at > now() - interval ${OLDEST}
      and m.author = 'operator' and m.created_at between now() - interval ${OLDEST} and now() - interval ${YOUNGEST}
      and v.settings->>'model' <> ${EXTRACTIVE_MODEL} and a.id <> all (${without}::text[])
      and exists (select from messages q where q.organization_id = c.organization_id and q.conversation_id = c.id
        and q.author = 'customer' and q.reason is distinct from 'rating' and q.sequence < m.sequence)
      and (select p.author from messages p where p.organization_id = c.organization_id and p.conversation_id = c.id
        and p.author <> 'system' and p.sequence < m.sequence order by p.sequence desc limit 1) <> 'operator'
      and not exists (select from knowledge_proposals k where k.organization_id = m.organization_id and k.message_id = m.id)
    order by m.created_at, m.id limit ${most}::int`.execute(ctx.db)
  return rows
}

/** Earlier proposals of a space with which a new one is compared, newest first: those that wait or were decided. */
export function listEarlier(ctx: OrgStoreContext, spaceId: SpaceId) {
  return proposals(ctx)
    .where('knowledge_space_id', '=', spaceId)
    .where('state', 'in', ['waiting', 'approved', 'rejected'])
    .select(['id', 'question', 'answer'])
    .orderBy('created_at', 'desc')
    .limit(COMPARED)
    .execute()
}

export type NewProposal = {
  id: Id<'knowledgeProposals'>
  spaceId: SpaceId
  reply: Pick<Reply, 'messageId' | 'conversationId'>
  state: ProposalState
  sameAs: Id<'knowledgeProposals'> | null
  question: string
  answer: string
  alike: AlikeSource | null
}

/** No-op where the reply was reviewed meanwhile, or its conversation is gone. */
export async function insertProposal(ctx: OrgStoreContext, made: NewProposal): Promise<void> {
  const alike = made.alike && JSON.stringify(made.alike)
  await sql`insert into knowledge_proposals (id, organization_id, knowledge_space_id, conversation_id, message_id, state, same_as,
      question, answer, alike)
    select ${made.id}, c.organization_id, ${made.spaceId}, c.id, ${made.reply.messageId}, ${made.state}, ${made.sameAs},
      ${made.question}, ${made.answer}, ${alike}::jsonb
    from conversations c where c.organization_id = ${ctx.organizationId} and c.id = ${made.reply.conversationId}
    on conflict (organization_id, message_id) do nothing`.execute(ctx.db)
}

/** The waiting proposals of a space: those asked for by most conversations first, then the newest. */
export async function listWaiting(ctx: OrgStoreContext, spaceId: SpaceId): Promise<Proposal[]> {
  const rows = await proposals(ctx)
    .where('knowledge_space_id', '=', spaceId)
    .where('state', '=', 'waiting')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('knowledge_proposals as s')
        .where('s.organization_id', '=', ctx.organizationId)
        .whereRef('s.same_as', '=', 'knowledge_proposals.id')
        .whereRef('s.conversation_id', '<>', 'knowledge_proposals.conversation_id')
        .select((inner) => inner.fn.count<string>('s.conversation_id').distinct().as('others'))
        .as('others'),
    )
    .orderBy('others', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(PROPOSALS_MAX)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    knowledgeSpaceId: row.knowledge_space_id,
    conversationId: row.conversation_id,
    question: row.question,
    answer: row.answer,
    alike: row.alike,
    conversations: 1 + Number(row.others ?? 0),
    createdAt: row.created_at.getTime(),
  }))
}

/** Spaces in which proposals wait, with how many. */
export async function countWaiting(ctx: OrgStoreContext): Promise<WaitingProposals[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_proposals as p')
    .innerJoin('knowledge_spaces as s', (join) =>
      join.onRef('s.id', '=', 'p.knowledge_space_id').on('s.organization_id', '=', ctx.organizationId),
    )
    .where('p.organization_id', '=', ctx.organizationId)
    .where('p.state', '=', 'waiting')
    .where('s.deleted_at', 'is', null)
    .groupBy(['s.id', 's.slug', 's.name', 's.created_at'])
    .select((eb) => ['s.id', 's.slug', 's.name', eb.fn.countAll<string>().as('waiting')])
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute()
  return rows.map(({ id, slug, name, waiting }) => ({ knowledgeSpaceId: id, slug, name, waiting: Number(waiting) }))
}

/** @throws AppError not_found */
export async function getProposal(ctx: OrgStoreContext, id: Id<'knowledgeProposals'>): Promise<StoredProposal> {
  const row = await proposals(ctx).where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Moves a proposal on. @throws AppError not_found where it is not, or no longer, in the state from which it comes */
export async function decide(
  ctx: OrgStoreContext,
  id: Id<'knowledgeProposals'>,
  change: { from: ProposalState; to: ProposalState; undo: ProposalUndo | null; at: Date },
): Promise<void> {
  const decided = await ctx.db
    .updateTable('knowledge_proposals')
    .set({
      state: change.to,
      undo: change.undo && JSON.stringify(change.undo),
      decided_at: change.to === 'waiting' ? null : change.at,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('state', '=', change.from)
    .returning('id')
    .executeTakeFirst()
  if (!decided) throw new AppError('not_found')
}

/** @throws AppError not_found */
export async function getLearning(ctx: OrgStoreContext, spaceId: SpaceId): Promise<Learning> {
  const space = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
    .where('deleted_at', 'is', null)
    .select('learns_from_replies')
    .executeTakeFirst()
  if (!space) throw new AppError('not_found')
  const author = await ctx.db
    .selectFrom('agent_knowledge_spaces as l')
    .innerJoin('agents as a', (join) =>
      join
        .onRef('a.id', '=', 'l.agent_id')
        .on('a.organization_id', '=', ctx.organizationId)
        .on('a.deleted_at', 'is', null),
    )
    .innerJoin('agent_versions as v', (join) =>
      join
        .onRef('v.agent_id', '=', 'a.id')
        .onRef('v.number', '=', 'a.live_version')
        .on('v.organization_id', '=', ctx.organizationId),
    )
    .where('l.organization_id', '=', ctx.organizationId)
    .where('l.knowledge_space_id', '=', spaceId)
    .where(sql<string>`${sql.ref('v.settings')}->>'model'`, '<>', EXTRACTIVE_MODEL)
    .select('a.id')
    .limit(1)
    .executeTakeFirst()
  return { isOn: space.learns_from_replies, hasAuthor: author !== undefined }
}

/** @throws AppError not_found */
export async function setLearning(ctx: OrgStoreContext, spaceId: SpaceId, isOn: boolean): Promise<void> {
  await changeLearning(ctx, spaceId, { learns_from_replies: isOn })
}

function proposals(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('knowledge_proposals').where('knowledge_proposals.organization_id', '=', ctx.organizationId)
}

/** Removes what was proposed from messages that are removed. */
export async function deleteProposalsOf(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  messageIds: Id<'messages'>[],
): Promise<void> {
  await ctx.db
    .deleteFrom('knowledge_proposals')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('message_id', 'in', messageIds)
    .execute()
}
