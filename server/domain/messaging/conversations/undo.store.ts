// SQL of undoing a step of many conversations: reading their state as the database writes it, and restoring it.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { followUpDue, restoreFollowUps } from './writes/follow-ups.store.ts'
import { restoreAskAt } from './writes/rating-row.store.ts'

type ConversationId = Id<'conversations'>
/** The aspect of a conversation that a step changes. */
export type Aspect = { kind: 'status' | 'folder' | 'assignee' } | { kind: 'tag'; tag: string }
/** Columns by name, without those that are null; times are texts, to the microsecond. */
type Columns = Record<string, unknown>
/**
 * What follows from how a conversation stands, and changes by itself. `is_calling`: a person is called where the team works, and has not
 * come; `written_through`: the sequence of the customer's last message.
 */
export type Hints = {
  is_calling: boolean
  written_through: number
  assignee_id?: string | undefined
  follow_up_at?: string | undefined
  waiting_since?: string | undefined
  queued_at?: string | undefined
  unattended_at?: string | undefined
  unattended_told_at?: string | undefined
  rating_ask_at?: string | undefined
}
/** `state`: what must not have changed since. */
export type Standing = { state: Columns; hints: Hints }
/** The state to which a conversation is restored. */
export type Restored<What> = What & { id: ConversationId }

const isCalling = sql`(c.needs_person and c.folder = 'inbox' and c.status <> 'ended')`
const hints = sql`jsonb_strip_nulls(jsonb_build_object('is_calling', ${isCalling}, 'written_through', (
    select coalesce(max(m.sequence), 0) from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
      and m.author = 'customer' and m.reason is distinct from 'rating'),
  'assignee_id', c.assignee_id, 'follow_up_at', ${followUpDue}, 'waiting_since', c.waiting_since, 'queued_at', c.queued_at,
  'unattended_at', c.unattended_at, 'unattended_told_at', c.unattended_told_at, 'rating_ask_at', (
    select ask_at from conversation_ratings r where r.organization_id = c.organization_id and r.conversation_id = c.id)))`

function stateOf(aspect: Aspect): RawBuilder<unknown> {
  switch (aspect.kind) {
    case 'status':
      return sql`'status', c.status, 'pause_epoch', c.pause_epoch, 'pause_reason', c.pause_reason, 'paused_at', c.paused_at,
        'paused_by', c.paused_by, 'resume_at', c.resume_at, 'needs_person', c.needs_person, 'handoff_reason', c.handoff_reason,
        'handoff_note', c.handoff_note, 'phrases_through', c.phrases_through`
    case 'folder':
      return sql`'folder', c.folder, 'moved_at', c.moved_at`
    case 'assignee':
      return sql`'assignee_id', c.assignee_id`
    case 'tag':
      return sql`'is_on', exists (select from conversation_tags t where t.organization_id = c.organization_id
        and t.conversation_id = c.id and t.tag = ${aspect.tag})`
  }
}

/** The present state of each of these conversations. */
export async function readStanding(
  ctx: OrgStoreContext,
  aspect: Aspect,
  ids: ConversationId[],
): Promise<Map<ConversationId, Standing>> {
  const { rows } = await sql<{ id: ConversationId } & Standing>`
    select c.id, jsonb_strip_nulls(jsonb_build_object(${stateOf(aspect)})) as state, ${hints} as hints from conversations c
    where c.organization_id = ${ctx.organizationId} and c.id = any(${ids}::text[])`.execute(ctx.db)
  return new Map(rows.map(({ id, ...standing }) => [id, standing]))
}

/** Restores conversations to active, paused or ended. What an agent that is silenced again is writing is marked as outdated by the epoch, and discarded. */
export async function restoreStatus(ctx: OrgStoreContext, steps: Restored<{ state: Columns }>[]): Promise<void> {
  await sql`
    update conversations c set status = b.status, pause_epoch = c.pause_epoch + (b.status <> 'active')::int,
      pause_reason = b.pause_reason, paused_at = b.paused_at, paused_by = b.paused_by, resume_at = b.resume_at,
      needs_person = b.needs_person, handoff_reason = b.handoff_reason, handoff_note = b.handoff_note,
      phrases_through = b.phrases_through
    from ${given(steps.map(({ id, state }) => [id, state]))},
      jsonb_to_record(given.columns::jsonb) as b (status text, pause_reason text, paused_at timestamptz, paused_by text,
        resume_at timestamptz, needs_person boolean, handoff_reason text, handoff_note text, phrases_through bigint)
    where c.organization_id = ${ctx.organizationId} and c.id = given.id`.execute(ctx.db)
}

/** Moves conversations back to where they were, with the time since when. */
export async function restoreFolder(ctx: OrgStoreContext, steps: Restored<{ state: Columns }>[]): Promise<void> {
  await sql`
    update conversations c set folder = b.folder, moved_at = b.moved_at, pause_epoch = c.pause_epoch + (b.folder = 'deleted')::int
    from ${given(steps.map(({ id, state }) => [id, state]))},
      jsonb_to_record(given.columns::jsonb) as b (folder text, moved_at timestamptz)
    where c.organization_id = ${ctx.organizationId} and c.id = given.id`.execute(ctx.db)
}

/** Reassigns conversations to their previous assignees. @returns those reassigned: a member who has left the organization gets none */
export async function restoreAssignee(
  ctx: OrgStoreContext,
  steps: Restored<{ state: Columns }>[],
): Promise<ConversationId[]> {
  const { rows } = await sql<{ id: ConversationId }>`
    update conversations c set assignee_id = b.assignee_id
    from ${given(steps.map(({ id, state }) => [id, state]))}, jsonb_to_record(given.columns::jsonb) as b (assignee_id text)
    where c.organization_id = ${ctx.organizationId} and c.id = given.id and (b.assignee_id is null or exists (
      select from members m where m.organization_id = c.organization_id and m.user_id = b.assignee_id))
    returning c.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/**
 * The triggers have restarted the waits: they continue from where they were. A conversation that was assigned since keeps its assignee, and
 * a customer whom an agent has answered since does not wait. Call it with what was read before the conversations were restored.
 */
export async function restoreHints(ctx: OrgStoreContext, steps: Restored<{ hints: Hints }>[]): Promise<void> {
  const queuedAt = sql`(case when ${isCalling} then
    case when c.assignee_id is null or not b.is_calling then coalesce(b.queued_at, c.queued_at)
      when c.assignee_id = b.assignee_id then b.queued_at end end)`
  await sql`
    update conversations c set queued_at = ${queuedAt}, unattended_told_at = b.unattended_told_at,
      unattended_at = case when ${queuedAt} is not null and c.status = 'paused' and b.unattended_told_at is null then
        case when b.queued_at is null then c.unattended_at else b.unattended_at end end,
      waiting_since = case when c.waiting_since is not null then least(b.waiting_since, c.waiting_since) end
    from ${given(steps.map(({ id, hints }) => [id, hints]))}, jsonb_to_record(given.columns::jsonb) as b (is_calling boolean,
      assignee_id text, waiting_since timestamptz, queued_at timestamptz, unattended_at timestamptz, unattended_told_at timestamptz)
    where c.organization_id = ${ctx.organizationId} and c.id = given.id`.execute(ctx.db)
  await restoreFollowUps(
    ctx,
    steps.map(({ id, hints: { follow_up_at: dueAt = null } }) => ({ id, dueAt })),
  )
  await restoreAskAt(
    ctx,
    steps.flatMap(({ id, hints: { rating_ask_at: askAt } }) => (askAt === undefined ? [] : [{ id, askAt }])),
  )
}

function given(columns: [ConversationId, Columns][]): RawBuilder<unknown> {
  return sql`unnest(${columns.map(([id]) => id)}::text[], ${columns.map(([, each]) => JSON.stringify(each))}::text[])
    as given (id, columns)`
}
