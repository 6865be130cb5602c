// SQL of weekly summaries: who is due one, and that they have it.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { AlertDetails, AlertSettings } from '#shared/organizations/alerts.ts'
import { may, type OrganizationRole } from '#shared/organizations/policy.ts'
import { settingsOf } from './alerts.rules.ts'

/** Local hour of Monday from which the week before is summed up. */
const FROM_HOUR = 9

/** `week`: its Monday, `YYYY-MM-DD`. */
export type DueSummary = {
  organizationId: Id<'organizations'>
  timeZone: string
  week: string
  userIds: Id<'users'>[]
}

type Row = {
  organizationId: Id<'organizations'>
  userId: Id<'users'>
  role: OrganizationRole
  timeZone: string
  week: string
  settings: Partial<AlertSettings>
}

/**
 * Members who want a summary and have none of the week that has ended, by organization: on Mondays and Tuesdays of its time zone, so that a
 * server that was away on Monday still sends it.
 */
export async function listDueSummaries(ctx: StoreContext, now: Date): Promise<DueSummary[]> {
  const { rows } = await sql<Row>`
    select m.organization_id as "organizationId", m.user_id as "userId", m.role, o.time_zone as "timeZone", last.week, s.settings
    from alert_settings s
      join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
      join organizations o on o.id = s.organization_id
      cross join lateral (select ${now}::timestamptz at time zone o.time_zone as at) clock
      cross join lateral (select to_char(date_trunc('week', clock.at) - interval '7 days', 'YYYY-MM-DD') as week) last
    where s.settings #> '{ways,summary,0}' is not null
      and clock.at >= date_trunc('week', clock.at) + ${FROM_HOUR}::int * interval '1 hour'
      and clock.at < date_trunc('week', clock.at) + interval '2 days'
      and not exists (select from alerts a where a.organization_id = m.organization_id and a.user_id = m.user_id
        and a.kind = 'summary' and a.subject = last.week)
    order by m.organization_id, m.user_id`.execute(ctx.db)
  const wanted = rows.filter(
    ({ settings, role, timeZone }) =>
      may(role, 'analytics.read') && settingsOf(settings, { role, timeZone }).ways.summary.length > 0,
  )
  return [...Map.groupBy(wanted, ({ organizationId }) => organizationId)].flatMap(([organizationId, members]) => {
    const [first] = members
    if (!first) return []
    const { timeZone, week } = first
    return [{ organizationId, timeZone, week, userIds: members.map(({ userId }) => userId) }]
  })
}

/** Alerts them, those whom another server has not alerted meanwhile. */
export async function insertSummaries(ctx: StoreContext, due: DueSummary, details: AlertDetails): Promise<void> {
  const { organizationId, week, userIds } = due
  await sql`insert into alerts (organization_id, user_id, kind, subject, details)
    select ${organizationId}, id, 'summary', ${week}, ${JSON.stringify(details)}::jsonb from unnest(${userIds}::text[]) as member (id)
    where not exists (select from alerts known where known.organization_id = ${organizationId} and known.user_id = member.id
      and known.kind = 'summary' and known.subject = ${week})
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing`.execute(ctx.db)
}
