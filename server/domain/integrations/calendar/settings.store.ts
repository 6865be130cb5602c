// SQL for what is set up of the calendars of agents.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { type CalendarSettings, DEFAULT_CALENDAR_SETTINGS } from '#shared/integrations/calendar.ts'

/** What is set up for an agent, the default for what is not. */
export async function findSettings(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<CalendarSettings> {
  const row = await ctx.db
    .selectFrom('calendar_settings')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .select(['calendars', 'templates', 'availability', 'customer_reminders'])
    .executeTakeFirst()
  const { calendars, templates, availability, customerReminders } = DEFAULT_CALENDAR_SETTINGS
  return {
    calendars: row?.calendars ?? calendars,
    templates: row?.templates ?? templates,
    availability: row?.availability ?? availability,
    customerReminders: row?.customer_reminders ?? customerReminders,
  }
}

/** Saves one part, and leaves the others. */
export async function saveSettings(
  ctx: OrgStoreContext,
  agentId: Id<'agents'>,
  part: Partial<CalendarSettings>,
  now: Date,
): Promise<void> {
  const { customerReminders, ...others } = part
  const saved = {
    updated_at: now,
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)])),
    ...(customerReminders && { customer_reminders: JSON.stringify(customerReminders) }),
  }
  await ctx.db
    .insertInto('calendar_settings')
    .values({ organization_id: ctx.organizationId, agent_id: agentId, ...saved })
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(saved))
    .execute()
}
