// SQL for messages that customers of visits are to get: reminders, and what has come of a booking. The next reminder of a visit is a time in its
// row, written with each change of it.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { DEFAULT_CALENDAR_SETTINGS } from '#shared/integrations/calendar.ts'

/** A booking of whose customer a message is due. */
export type DueNotice = {
  kind: 'outcome' | 'reminder'
  id: Id<'bookings'>
  organizationId: Id<'organizations'>
  conversationId: Id<'conversations'>
}
/** A reminder that is due, and the visit that it is about. Milliseconds since the epoch. */
export type DueReminder = { dueAt: number; from: number; timeZone: string | null }

const DEFAULT = JSON.stringify(DEFAULT_CALENDAR_SETTINGS.customerReminders)

/** Of a row of `bookings`: the next moment at which its agent's settings have the customer reminded; SQL null: there is none. */
export function nextReminder(startsAt: Date | RawBuilder<Date> = sql<Date>`starts_at`): RawBuilder<Date | null> {
  return sql<Date | null>`(select min(moment) from (
      select ${startsAt}::timestamptz - minutes::int * interval '1 minute' as moment from jsonb_array_elements_text(coalesce((
        select s.customer_reminders from calendar_settings s
        where s.organization_id = bookings.organization_id and s.agent_id = bookings.agent_id), ${DEFAULT}::jsonb)) minutes) moments
    where moment > now())`
}

/** Plans the reminders of an agent's visits again, after its settings have changed. */
export async function planReminders(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<void> {
  await ctx.db
    .updateTable('bookings')
    .set({ remind_at: nextReminder() })
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .where('status', '=', 'booked')
    .where('ends_at', '>', sql<Date>`now()`)
    .execute()
}

/** Over all organizations: settled bookings of which customers are still to hear, and reminders that are due; longest due first. */
export async function listDueNotices(ctx: StoreContext, most: number): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    (select 'outcome' as kind, id, organization_id as "organizationId", conversation_id as "conversationId" from bookings
      where owes_word and status not in ('booking', 'moving', 'cancelling') order by changed_at limit ${most}::int)
    union all
    (select 'reminder', id, organization_id, conversation_id from bookings
      where remind_at is not null and remind_at <= now() order by remind_at limit ${most}::int)`.execute(ctx.db)
  return rows
}

/** Takes the reminder of a visit that is due, and plans the next one. @returns null: none is due any more */
export async function takeReminder(ctx: OrgStoreContext, id: Id<'bookings'>): Promise<DueReminder | null> {
  const { rows } = await sql<{ due_at: Date; starts_at: Date; time_zone: string | null }>`
    with due as (
      select id, remind_at from bookings where organization_id = ${ctx.organizationId} and id = ${id}
        and status = 'booked' and remind_at <= now() for update
    )
    update bookings set remind_at = ${nextReminder()} from due
    where bookings.organization_id = ${ctx.organizationId} and bookings.id = due.id
    returning due.remind_at as due_at, bookings.starts_at, bookings.time_zone`.execute(ctx.db)
  const [row] = rows
  return row ? { dueAt: row.due_at.getTime(), from: row.starts_at.getTime(), timeZone: row.time_zone } : null
}
