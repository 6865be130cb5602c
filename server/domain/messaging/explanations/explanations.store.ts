// SQL of why a message was answered or not: the facts by which explanations.rules.ts decides.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ConversationsTable, HeldBy, MessagesTable, TurnsTable } from '#server/platform/db/tables/conversations.ts'
import type { ConnectionStatus } from '#shared/channels/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { MessageExplanation, Silence } from '#shared/messaging/explanations.ts'
import { findFollowUpDue } from '../conversations/writes/follow-ups.store.ts'
import { listPersonContacts } from '../customers/people.store.ts'
import { explain, type Facts, type MessageFacts, type TurnFacts } from './explanations.rules.ts'

/** The turns of a conversation that are considered: from the first that ended after a message came. */
const ENDED_LOOKED_AT = 500

/**
 * Why a message was answered or not. For the agent's own messages: the trace of their turn, and what became of the follow-ups after them.
 * @param testUserId whose test chat; null: conversations with customers
 * @throws AppError not_found
 */
export async function explainMessage(
  ctx: OrgStoreContext,
  messageId: Id<'messages'>,
  testUserId: Id<'users'> | null,
): Promise<MessageExplanation> {
  const { message, conversation } = await getMessage(ctx, messageId, testUserId)
  const after = { conversationId: message.conversation_id, sequence: message.sequence }
  const isSettled = message.sequence <= conversation.answeredThrough
  const operator =
    (await findOperator(ctx, [message.conversation_id], after.sequence)) ??
    (isSettled && message.customer_id ? await findOperatorElsewhere(ctx, message.customer_id, after.sequence) : null)
  const nextMessageAt = await findNextMessageAt(ctx, after)
  const turns = await listTurns(ctx, message)
  const answers = await listAnswers(ctx, after.conversationId, turns)
  const { author, sequence, created_at, turn_id, reason } = message
  const held = await withName(ctx, message.held)
  return explain({
    message: { author, sequence, at: created_at.getTime(), turnId: turn_id, held, isRating: reason === 'rating' },
    conversation: { ...conversation, paused: await withName(ctx, conversation.paused) },
    turns,
    operator,
    nextMessageAt,
    answers,
  })
}

async function getMessage(ctx: OrgStoreContext, messageId: Id<'messages'>, testUserId: Id<'users'> | null) {
  const row = await ctx.db
    .selectFrom('messages')
    .innerJoin('conversations as c', 'c.id', 'messages.conversation_id')
    .innerJoin('agents', 'agents.id', 'c.agent_id')
    .leftJoin('channel_connections as n', 'n.id', 'c.connection_id')
    .where('messages.organization_id', '=', ctx.organizationId)
    .where('c.organization_id', '=', ctx.organizationId)
    .where('messages.id', '=', messageId)
    .where('c.test_user_id', testUserId === null ? 'is' : '=', testUserId)
    .select([
      'messages.conversation_id',
      'messages.sequence',
      'messages.author',
      'messages.turn_id',
      'messages.held',
      'messages.reason',
    ])
    .select([
      'messages.created_at',
      'c.customer_id',
      'agents.deleted_at',
      'n.disconnected_at',
      'n.status as connection_status',
    ])
    .select([
      'c.status',
      'c.folder',
      'c.answered_through',
      'c.pause_reason',
      'c.paused_at',
      'c.paused_by',
      'c.resume_at',
    ])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const followUpAt = await findFollowUpDue(ctx, row.conversation_id)
  return { message: row, conversation: { ...toConversation(row), followUpAt } }
}

type ConversationRow = Pick<
  Selectable<ConversationsTable>,
  'status' | 'folder' | 'answered_through' | 'pause_reason' | 'paused_at' | 'paused_by' | 'resume_at'
> & { deleted_at: Date | null; disconnected_at: Date | null; connection_status: ConnectionStatus | null }

function toConversation(row: ConversationRow) {
  const { pause_reason: reason, paused_at: pausedAt, paused_by: by } = row
  const connection = row.connection_status === 'error' ? ('error' as const) : ('works' as const)
  return {
    status: row.folder === 'deleted' ? ('ended' as const) : row.status,
    answeredThrough: row.answered_through,
    paused: reason && pausedAt ? { reason, since: pausedAt.getTime(), by } : null,
    resumeAt: row.resume_at?.getTime() ?? null,
    isAgentDeleted: row.deleted_at !== null,
    connection: row.disconnected_at ? ('off' as const) : connection,
  }
}

type After = { conversationId: Id<'conversations'>; sequence: number }

function messagesAfter(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[], sequence: number) {
  return ctx.db
    .selectFrom('messages')
    .where('messages.organization_id', '=', ctx.organizationId)
    .where('messages.conversation_id', 'in', conversationIds)
    .where('messages.sequence', '>', sequence)
    .orderBy('messages.sequence', 'asc')
    .limit(1)
}

async function findOperator(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
  sequence: number,
): Promise<MessageFacts | null> {
  const row = await messagesAfter(ctx, conversationIds, sequence)
    .leftJoin('users', 'users.id', 'messages.user_id')
    .where('messages.author', '=', 'operator')
    .select(['messages.id', 'messages.sequence', 'messages.created_at', 'users.name'])
    .executeTakeFirst()
  return row ? { messageId: row.id, sequence: row.sequence, name: row.name, at: row.created_at.getTime() } : null
}

/** An answer in one conversation also answers those that are, or were, shown as one with it: all of them are of one person. */
async function findOperatorElsewhere(
  ctx: OrgStoreContext,
  customerId: Id<'customers'>,
  sequence: number,
): Promise<MessageFacts | null> {
  const contacts = await listPersonContacts(ctx, customerId)
  const rows = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'customer_id',
      'in',
      contacts.map(({ id }) => id),
    )
    .select('id')
    .execute()
  return findOperator(
    ctx,
    rows.map(({ id }) => id),
    sequence,
  )
}

async function findNextMessageAt(ctx: OrgStoreContext, { conversationId, sequence }: After): Promise<number | null> {
  const row = await messagesAfter(ctx, [conversationId], sequence)
    .where('messages.author', '<>', 'system')
    .select('messages.created_at')
    .executeTakeFirst()
  return row?.created_at.getTime() ?? null
}

async function listTurns(
  ctx: OrgStoreContext,
  message: Pick<Selectable<MessagesTable>, 'conversation_id' | 'created_at' | 'turn_id'>,
): Promise<TurnFacts[]> {
  const ended = await turnsOf(ctx, message.conversation_id)
    .where('turns.finished_at', 'is not', null)
    .where('turns.finished_at', '>=', message.created_at)
    .orderBy('turns.finished_at', 'asc')
    .limit(ENDED_LOOKED_AT)
    .execute()
  const open = await turnsOf(ctx, message.conversation_id)
    .where('turns.status', 'in', ['pending', 'running'])
    .orderBy('turns.status', 'desc')
    .execute()
  const isKnown = [...ended, ...open].some(({ id }) => id === message.turn_id)
  const own =
    message.turn_id && !isKnown
      ? await turnsOf(ctx, message.conversation_id).where('turns.id', '=', message.turn_id).execute()
      : []
  return [...own, ...ended, ...open].map(toFacts)
}

function turnsOf(ctx: OrgStoreContext, conversationId: Id<'conversations'>) {
  return ctx.db
    .selectFrom('turns')
    .leftJoin('turn_traces', (join) =>
      join
        .onRef('turn_traces.turn_id', '=', 'turns.id')
        .on('turn_traces.organization_id', '=', ctx.organizationId)
        .on('turn_traces.conversation_id', '=', conversationId),
    )
    .where('turns.organization_id', '=', ctx.organizationId)
    .where('turns.conversation_id', '=', conversationId)
    .select(['turns.id', 'turns.kind', 'turns.status', 'turns.outcome', 'turns.epoch', 'turns.attempts'])
    .select(['turns.answered_before', 'turns.read_through', 'turns.waiting_since', 'turns.created_at'])
    .select(['turns.started_at', 'turns.not_before', 'turns.finished_at', 'turn_traces.turn_id as record'])
}

type TurnRow = Pick<
  Selectable<TurnsTable>,
  | 'id'
  | 'kind'
  | 'status'
  | 'outcome'
  | 'epoch'
  | 'attempts'
  | 'answered_before'
  | 'read_through'
  | 'waiting_since'
  | 'created_at'
  | 'started_at'
  | 'not_before'
  | 'finished_at'
> & { record: Id<'turns'> | null }

function toFacts(row: TurnRow): TurnFacts {
  return {
    id: row.id,
    kind: row.kind,
    outcome: row.outcome,
    hasRecord: row.record !== null,
    answeredBefore: row.answered_before,
    readThrough: row.read_through,
    waitingSince: row.waiting_since.getTime(),
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at?.getTime() ?? null,
    notBefore: row.not_before.getTime(),
    finishedAt: row.finished_at?.getTime() ?? null,
    isRunning: row.status === 'running',
    hasBegun: row.epoch > 0,
    failure: failureOf(row.attempts.at(-1)),
  }
}

function failureOf(attempt: unknown): string | null {
  const hasReason = typeof attempt === 'object' && attempt !== null && 'reason' in attempt
  return hasReason && typeof attempt.reason === 'string' ? attempt.reason : null
}

async function listAnswers(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  turns: TurnFacts[],
): Promise<Facts['answers']> {
  if (turns.length === 0) return []
  const rows = await ctx.db
    .selectFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('author', '=', 'agent')
    .where('status', '=', 'complete')
    .where(
      'turn_id',
      'in',
      turns.map(({ id }) => id),
    )
    .select(['id', 'turn_id', 'sequence', 'created_at'])
    .execute()
  return rows.flatMap(({ id, turn_id, sequence, created_at }) => {
    return turn_id ? [{ turnId: turn_id, messageId: id, sequence, name: null, at: created_at.getTime() }] : []
  })
}

async function withName(ctx: OrgStoreContext, held: HeldBy | null): Promise<Silence | null> {
  if (!held?.by) return held && { ...held, by: null }
  const user = await ctx.db.selectFrom('users').where('id', '=', held.by).select('name').executeTakeFirst()
  return { ...held, by: user?.name ?? null }
}
