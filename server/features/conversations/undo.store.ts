// SQL of taking back a step between states: how conversations stand, as the database itself writes it, and standing so again.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

type ConversationId = Id<'conversations'>
/** Columns by name; times are texts, to the microsecond. */
type Columns = Record<string, unknown>
/** `state`: what nobody may have changed since. `hints`: what follows from it and goes on by itself. */
export type Standing = { state: Columns; hints: Columns }
/** A step that was taken: how a conversation stood before it, and its state after it. */
export type Step = { id: ConversationId; before: Standing; after: Columns }

const state = sql`jsonb_build_object('status', c.status, 'pause_epoch', c.pause_epoch, 'pause_reason', c.pause_reason,
  'paused_at', c.paused_at, 'paused_by', c.paused_by, 'resume_at', c.resume_at, 'needs_person', c.needs_person,
  'handoff_reason', c.handoff_reason, 'handoff_note', c.handoff_note, 'phrases_through', c.phrases_through)`
const hints = sql`jsonb_build_object('assignee_id', c.assignee_id, 'follow_up_at', c.follow_up_at, 'waiting_since', c.waiting_since,
  'queued_at', c.queued_at, 'unattended_at', c.unattended_at)`

/** The customer has written since the conversation was opened again: to end it anew would leave them without an answer. */
const hasWritten = sql`exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
  and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > c.phrases_through)`

/** How each of these conversations stands. */
export async function readStanding(
  ctx: OrgStoreContext,
  ids: ConversationId[],
): Promise<Map<ConversationId, Standing>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: ConversationId } & Standing>`
    select c.id, ${state} as state, ${hints} as hints from conversations c
    where c.organization_id = ${ctx.organizationId} and c.id = any(${ids}::text[])`.execute(ctx.db)
  return new Map(rows.map(({ id, ...standing }) => [id, standing]))
}

/**
 * Lets conversations stand as they did before a step, unless somebody has changed their state since. They are held by the caller. What
 * an agent is writing that is to be silent again is recognised by the epoch and thrown away.
 *
 * @returns those that stand so now
 */
export async function restore(ctx: OrgStoreContext, steps: Step[]): Promise<Set<ConversationId>> {
  const { rows } = await sql<{ id: ConversationId }>`
    update conversations c set status = b.status, pause_epoch = c.pause_epoch + (b.status <> 'active')::int,
      pause_reason = b.pause_reason, paused_at = b.paused_at, paused_by = b.paused_by, resume_at = b.resume_at,
      needs_person = b.needs_person, handoff_reason = b.handoff_reason, handoff_note = b.handoff_note,
      phrases_through = b.phrases_through
    from unnest(${ids(steps)}::text[], ${texts(steps.map(({ before }) => before.state))}::text[],
        ${texts(steps.map(({ after }) => after))}::text[]) as given (id, before, after),
      jsonb_to_record(given.before::jsonb) as b (status text, pause_reason text, paused_at timestamptz, paused_by text,
        resume_at timestamptz, needs_person boolean, handoff_reason text, handoff_note text, phrases_through bigint)
    where c.organization_id = ${ctx.organizationId} and c.id = given.id and ${state} = given.after::jsonb
      and not (b.status = 'ended' and ${hasWritten})
    returning c.id`.execute(ctx.db)
  const restored = new Set(rows.map(({ id }) => id))
  await restoreHints(
    ctx,
    steps.filter(({ id }) => restored.has(id)),
  )
  return restored
}

/**
 * The triggers have begun the waits anew: they go on from where they were. Whom somebody was given since keeps the conversation, whom an
 * agent has answered since does not wait, and who has written since is not silent.
 */
async function restoreHints(ctx: OrgStoreContext, steps: Step[]): Promise<void> {
  if (steps.length === 0) return
  const isGiven = sql`(c.assignee_id is not null and c.assignee_id is distinct from b.assignee_id)`
  await sql`
    update conversations c set
      queued_at = case when c.queued_at is not null and not ${isGiven} then
        case when c.assignee_id is null then coalesce(b.queued_at, c.queued_at) end end,
      unattended_at = case when c.queued_at is not null and not ${isGiven} then b.unattended_at end,
      waiting_since = case when c.waiting_since is not null then least(b.waiting_since, c.waiting_since) end,
      follow_up_at = case when c.waiting_since is null then b.follow_up_at end
    from unnest(${ids(steps)}::text[], ${texts(steps.map(({ before }) => before.hints))}::text[]) as given (id, before),
      jsonb_to_record(given.before::jsonb) as b (assignee_id text, follow_up_at timestamptz, waiting_since timestamptz,
        queued_at timestamptz, unattended_at timestamptz)
    where c.organization_id = ${ctx.organizationId} and c.id = given.id`.execute(ctx.db)
}

function ids(steps: Step[]): ConversationId[] {
  return steps.map(({ id }) => id)
}

function texts(columns: Columns[]): string[] {
  return columns.map((each) => JSON.stringify(each))
}
