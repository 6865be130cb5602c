// SQL for calls that wait until someone agrees to them, and for what has become of them.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { ToolApprovalsTable } from '#server/platform/db/tables/agents.ts'
import type { Id } from '#shared/ids.ts'
import type {
  ApprovalArguments,
  ApprovalBy,
  ApprovalFailure,
  ApprovalStatus,
  ToolKind,
} from '#shared/tools/approvals.ts'

type ApprovalId = Id<'toolApprovals'>

/** The tool of a call. `version`: as it was when the call was shown; a tool that has changed since then is not called. */
export type AskedTool = { kind: ToolKind; id: string; version: string; name: string; title: string }
/** A call as it is asked for. */
export type AskedCall = { id: ApprovalId; by: ApprovalBy; tool: AskedTool; arguments: ApprovalArguments }
/** A call with what has become of it. */
export type Approval = AskedCall & {
  organizationId: Id<'organizations'>
  conversationId: Id<'conversations'>
  agentId: Id<'agents'>
  turnId: Id<'turns'>
  status: ApprovalStatus
  owesWord: boolean
  failure: ApprovalFailure | null
  result: string | null
  expiresAt: number
}
/** Where a call is asked for. */
export type Asking = { conversationId: Id<'conversations'>; agentId: Id<'agents'>; turnId: Id<'turns'> }

const COLUMNS = [
  ...(['id', 'organization_id', 'conversation_id', 'agent_id', 'turn_id', 'decider', 'status', 'tool_kind'] as const),
  ...(['tool_id', 'tool_version', 'tool_name', 'title', 'arguments', 'owes_word', 'failure', 'result'] as const),
  'expires_at' as const,
]
/** Calls of one conversation that a turn has to know of. */
const RECENT_MAX = 10
const RECENT_MS = 86_400_000

/** Writes down calls that wait, in one statement. A later try of the turn writes none again. */
export async function insertApprovals(
  ctx: OrgStoreContext,
  { conversationId, agentId, turnId }: Asking,
  { calls, askedAt, expiresAt }: { calls: AskedCall[]; askedAt: Date; expiresAt: Date },
): Promise<void> {
  await ctx.db
    .insertInto('tool_approvals')
    .values(
      calls.map(({ id, by, tool, arguments: given }) => ({
        ...{ id, organization_id: ctx.organizationId, conversation_id: conversationId, agent_id: agentId },
        ...{ turn_id: turnId, decider: by, status: 'waiting' as const, tool_kind: tool.kind, tool_id: tool.id },
        ...{ tool_version: tool.version, tool_name: tool.name, title: tool.title, arguments: JSON.stringify(given) },
        ...{ asked_at: askedAt, expires_at: expiresAt },
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** What of a conversation waits, was decided within a day, or the customer has not heard of; oldest first. */
export async function listRecent(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<Approval[]> {
  const rows = await approvals(ctx)
    .where('conversation_id', '=', conversationId)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['waiting', 'approved', 'running']),
        eb('asked_at', '>', new Date(Date.now() - RECENT_MS)),
        eb('owes_word', '=', sql.lit(true)),
      ]),
    )
    .select(COLUMNS)
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RECENT_MAX)
    .execute()
  return rows.map(toApproval).toReversed()
}

/** Decides what waits, once. @returns the call; null: it does not wait, or no longer */
export async function decide(
  ctx: OrgStoreContext,
  { id, by, status, userId }: { id: ApprovalId; by: ApprovalBy; status: Decision; userId: Id<'users'> | null },
): Promise<Approval | null> {
  const row = await ctx.db
    .updateTable('tool_approvals')
    .set({
      status,
      decided_at: sql<Date>`now()`,
      decided_by: userId,
      owes_word: status === 'declined' && by === 'operator',
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('decider', '=', by)
    .where('status', '=', 'waiting')
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ? toApproval(row) : null
}
type Decision = 'approved' | 'declined' | 'withdrawn'

/**
 * Whether the question of a call is the last that the customer has read: an agreement to anything else is none to the call.
 * Notices of the agent, such as an answer to a command, count as well.
 */
export async function isLastQuestion(ctx: OrgStoreContext, { conversationId, turnId }: Approval): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('author', 'in', ['agent', 'operator'])
    .select('turn_id')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.turn_id === turnId
}

/** Takes a call that is approved, once: who has it calls the service. */
export async function begin(ctx: OrgStoreContext, id: ApprovalId): Promise<Approval | null> {
  const row = await ctx.db
    .updateTable('tool_approvals')
    .set({ status: 'running', begun_at: sql<Date>`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ? toApproval(row) : null
}

/** What has come of a call. */
export type Settled = {
  status: 'done' | 'failed' | 'uncertain'
  failure: ApprovalFailure | null
  result: string | null
}

/** Writes down what has come of a call that was begun; from then on the customer is owed a word of it. @returns whether it was still open */
export async function settle(ctx: OrgStoreContext, id: ApprovalId, settled: Settled): Promise<boolean> {
  const row = await ctx.db
    .updateTable('tool_approvals')
    .set({ ...settled, owes_word: true })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The customer hears of these calls in the same transaction. */
export async function clearOwed(ctx: OrgStoreContext, ids: ApprovalId[]): Promise<void> {
  await ctx.db
    .updateTable('tool_approvals')
    .set({ owes_word: false })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** The conversation in which a call was asked for; undefined: it is gone. */
export async function findConversationId(
  ctx: OrgStoreContext,
  id: ApprovalId,
): Promise<Id<'conversations'> | undefined> {
  const row = await approvals(ctx).where('id', '=', id).select('conversation_id').executeTakeFirst()
  return row?.conversation_id
}

/** A call that owes its word, which it does not any more; null: another has taken it. */
export async function takeOwed(ctx: OrgStoreContext, id: ApprovalId): Promise<Approval | null> {
  const row = await ctx.db
    .updateTable('tool_approvals')
    .set({ owes_word: false })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('owes_word', '=', sql.lit(true))
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ? toApproval(row) : null
}

/** Over all organizations: what no one has decided in time is over, and what a server has left in the middle is uncertain. */
export async function closeLeft({ db }: StoreContext, begunBefore: Date): Promise<void> {
  await db
    .updateTable('tool_approvals')
    .set((eb) => ({
      status: 'expired',
      decided_at: sql<Date>`now()`,
      owes_word: eb('decider', '=', 'operator').$castTo<boolean>(),
    }))
    .where('status', '=', 'waiting')
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
  await db
    .updateTable('tool_approvals')
    .set({ status: 'uncertain', failure: 'no_answer', owes_word: true })
    .where('status', '=', 'running')
    .where('begun_at', '<', begunBefore)
    .execute()
}

/** Over all organizations: calls that were approved before then and not begun, the oldest first. */
export async function listApproved(ctx: StoreContext, before: Date, most: number): Promise<Approval[]> {
  const rows = await ctx.db
    .selectFrom('tool_approvals')
    .where('status', '=', 'approved')
    .where('decided_at', '<', before)
    .select(COLUMNS)
    .orderBy('decided_at')
    .limit(most)
    .execute()
  return rows.map(toApproval)
}

/** Over all organizations: calls decided before then of which customers have not heard, the oldest first. */
export async function listOwed(ctx: StoreContext, before: Date, most: number): Promise<Approval[]> {
  const rows = await ctx.db
    .selectFrom('tool_approvals')
    .where('owes_word', '=', sql.lit(true))
    .where('decided_at', '<', before)
    .select(COLUMNS)
    .orderBy('decided_at')
    .limit(most)
    .execute()
  return rows.map(toApproval)
}

function approvals(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('tool_approvals').where('organization_id', '=', ctx.organizationId)
}

type Row = Pick<Selectable<ToolApprovalsTable>, (typeof COLUMNS)[number]>

function toApproval(row: Row): Approval {
  const { tool_kind: kind, tool_id: id, tool_version: version, tool_name: name, title } = row
  return {
    ...{ id: row.id, by: row.decider, tool: { kind, id, version, name, title }, arguments: row.arguments },
    ...{ organizationId: row.organization_id, conversationId: row.conversation_id, agentId: row.agent_id },
    ...{ turnId: row.turn_id, status: row.status, owesWord: row.owes_word, failure: row.failure, result: row.result },
    expiresAt: row.expires_at.getTime(),
  }
}
