// SQL that changes many conversations with one statement: folder, assignee, tags. The caller holds the rows.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationFolder, ConversationStatus } from '#shared/messaging/conversations.ts'

export type ConversationId = Id<'conversations'>
/** A conversation whose row is locked until the transaction ends. */
export type Held = {
  id: ConversationId
  channel: Channel
  status: ConversationStatus
  resumeAt: Date | null
  folder: ConversationFolder
  assigneeId: Id<'users'> | null
  /** It waits for an operator to be free. */
  isQueued: boolean
}

/** Locks those of these conversations with customers that exist, in one order, so that two callers never deadlock. */
export async function holdConversations(ctx: OrgStoreContext, ids: ConversationId[]): Promise<Held[]> {
  return ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .where('channel', '<>', 'test')
    .select(['id', 'channel', 'status', 'resume_at as resumeAt', 'folder', 'assignee_id as assigneeId'])
    .select(sql<boolean>`queued_at is not null`.as('isQueued'))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Moves conversations to another folder. In deleted ones, the epoch marks what the agent is writing as outdated, and it is discarded. */
export async function setFolder(
  ctx: OrgStoreContext,
  ids: ConversationId[],
  folder: ConversationFolder,
  now: Date,
): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      folder,
      moved_at: now,
      ...(folder === 'deleted' ? { pause_epoch: eb('pause_epoch', '+', 1) } : {}),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** Of these conversations, those from which something is still on its way to the customer. */
export async function listSending(ctx: OrgStoreContext, ids: ConversationId[]): Promise<ConversationId[]> {
  const rows = await ctx.db
    .selectFrom('outbox')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', ids)
    .where('status', 'in', ['queued', 'claimed', 'sending'])
    .select('conversation_id')
    .distinct()
    .orderBy('conversation_id')
    .execute()
  return rows.map((row) => row.conversation_id)
}

/** Assigns conversations to a member, or to no one, and notes it in each of them. */
export async function setAssignee(
  ctx: OrgStoreContext,
  ids: ConversationId[],
  assigneeId: Id<'users'> | null,
  by: Id<'users'>,
): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set({ assignee_id: assigneeId, ...(assigneeId !== null && { queued_at: null, unattended_at: null }) })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
  await noteAssignees(ctx, ids, by)
}

/** Notes in each conversation who has assigned it to whom. */
export async function noteAssignees(ctx: OrgStoreContext, ids: ConversationId[], by: Id<'users'>): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, user_id, text, reason)
    select new.id, c.organization_id, c.id, 'system', ${by}, coalesce(u.name, ''),
      case when c.assignee_id is null then 'unassigned' else 'assigned' end
    from unnest(${ids.map(() => newId('messages'))}::text[], ${ids}::text[]) as new (id, conversation_id)
    join conversations c on c.organization_id = ${ctx.organizationId} and c.id = new.conversation_id
    left join users u on u.id = c.assignee_id`.execute(ctx.db)
}

/** How many tags each of these conversations has, and whether this is one of them. Those without tags are left out. */
export async function countTags(
  ctx: OrgStoreContext,
  ids: ConversationId[],
  tag: string,
): Promise<Map<ConversationId, { count: number; isTagged: boolean }>> {
  const rows = await ctx.db
    .selectFrom('conversation_tags')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', ids)
    .select(({ fn, eb }) => [
      'conversation_id',
      fn.countAll<number>().as('count'),
      fn.agg<boolean>('bool_or', [eb('tag', '=', tag)]).as('isTagged'),
    ])
    .groupBy('conversation_id')
    .execute()
  return new Map(rows.map(({ conversation_id: id, count, isTagged }) => [id, { count: Number(count), isTagged }]))
}

/** Puts a tag on conversations that do not have it. */
export async function addTag(ctx: OrgStoreContext, ids: ConversationId[], tag: string): Promise<void> {
  await ctx.db
    .insertInto('conversation_tags')
    .values(ids.map((id) => ({ organization_id: ctx.organizationId, conversation_id: id, tag })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes a tag off conversations. */
export async function removeTag(ctx: OrgStoreContext, ids: ConversationId[], tag: string): Promise<void> {
  await ctx.db
    .deleteFrom('conversation_tags')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', ids)
    .where('tag', '=', tag)
    .execute()
}
