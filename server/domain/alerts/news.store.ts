// SQL for alerts that no trigger raises: about the bill, agents and new versions. Only those members get one who want to be alerted.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import type { Id } from '#shared/ids.ts'
import { USAGE_CRITICAL_SHARE, USAGE_WARNING_SHARE } from '#shared/limits.ts'
import type { AlertDetails, AlertKind, AlertSettings } from '#shared/organizations/alerts.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { settingsOf } from './alerts.rules.ts'

const KEPT_DAYS = 30
/** Answers in which an agent fails within an hour before members are alerted to it. */
const AGENT_FAILURES_MIN = 3

/** `isOnce`: members who have seen it get it no more; otherwise only those who have not yet seen the last. */
type Raising = { isOnce: boolean; exceptUserId?: Id<'users'> }
type By = { userId: Id<'users'>; name: string }
type Candidate = {
  organizationId: Id<'organizations'>
  userId: Id<'users'>
  kind: AlertKind
  subject: string
  details: AlertDetails
  settings: Partial<AlertSettings> | null
  role: OrganizationRole
  timeZone: string
}

/** Who has changed something, as colleagues are shown it. */
export function byCaller({ caller }: { caller: Pick<Caller, 'userId' | 'name' | 'email'> }): By {
  return { userId: caller.userId, name: caller.name || caller.email }
}

/** An agent was changed by a member: alerts the others. */
export async function raiseAgentChange(
  ctx: OrgStoreContext,
  agent: { _id: Id<'agents'>; name: string; slug: string },
  { event, by }: { event: 'agentRemoved' | null; by: By },
): Promise<void> {
  const details: AlertDetails = {
    event,
    name: agent.name,
    by: by.name,
    slug: event === 'agentRemoved' ? null : agent.slug,
  }
  await raise(
    ctx,
    sql`select ${ctx.organizationId}, 'agent', ${`${agent._id} ${event ?? 'agentPublished'}`}, ${JSON.stringify(details)}::jsonb`,
    { isOnce: false, exceptUserId: by.userId },
  )
}

/** Messages of a month that has no quota, since nothing stops answers beyond its allowance. */
const monthSums = sql`select sum(u.messages) as messages from usage_months u
  where u.organization_id = o.id and u.month = clock.month and coalesce(o.monthly_limit, p.monthly_messages) is not null`

/** The month is nearly used up, or its money is spent: once for each member, month and threshold. */
export async function raiseBilling(ctx: StoreContext): Promise<void> {
  await raise(
    ctx,
    sql`select o.id, 'billing', clock.month || ' ' || reached.name,
        jsonb_build_object('event', reached.event, 'name', '', 'by', null, 'slug', null)
      from organizations o left join plans p on p.slug = o.plan
        cross join lateral (select to_char(now() at time zone o.time_zone, 'YYYY-MM') as month) clock
        left join quotas q on q.organization_id = o.id and q.period = clock.month
        left join lateral (${monthSums}) own on q.period is null
        cross join lateral (select coalesce(q.used, own.messages)
          / nullif(coalesce(o.monthly_limit, p.monthly_messages), 0)::float8 as used) share
        cross join lateral (values
          ('warning', null, share.used >= ${USAGE_WARNING_SHARE}::float8 and share.used < ${USAGE_CRITICAL_SHARE}::float8),
          ('critical', 'billingCritical', share.used >= ${USAGE_CRITICAL_SHARE}::float8),
          ('spending', 'billingSpending', q.cost_micro_usd >= o.monthly_spend_limit_micro_usd)
        ) reached (name, event, holds)
      where reached.holds`,
    { isOnce: true },
  )
}

/** An agent could not answer several times within an hour: once a day. */
export async function raiseFailing(ctx: StoreContext): Promise<void> {
  await raise(
    ctx,
    sql`select g.organization_id, 'agent', g.id || ' agentFailing ' || current_date,
        jsonb_build_object('event', 'agentFailing', 'name', g.name, 'by', null, 'slug', g.slug)
      from turns t join conversations c on c.organization_id = t.organization_id and c.id = t.conversation_id
        join agents g on g.organization_id = c.organization_id and g.id = c.agent_id
      where t.status = 'failed' and t.finished_at > now() - interval '1 hour' and c.channel <> 'test' and g.deleted_at is null
      group by g.organization_id, g.id, g.name, g.slug having count(*) >= ${AGENT_FAILURES_MIN}::int`,
    { isOnce: true },
  )
}

/** The calendar of an agent wants a person's consent again. */
export async function raiseCalendarLost(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<void> {
  await raise(
    ctx,
    sql`select g.organization_id, 'connection', g.id || ' calendarLost',
        jsonb_build_object('event', 'calendarLost', 'name', g.name, 'by', null, 'slug', g.slug)
      from agents g where g.organization_id = ${ctx.organizationId} and g.id = ${agentId} and g.deleted_at is null`,
    { isOnce: false },
  )
}

/** An MCP server wants a person's consent again. */
export async function raiseMcpLost(ctx: OrgStoreContext, serverId: Id<'mcpServers'>): Promise<void> {
  await raise(
    ctx,
    sql`select k.organization_id, 'connection', k.id || ' mcpLost',
        jsonb_build_object('event', 'mcpLost', 'name', k.name, 'by', null, 'slug', k.id)
      from mcp_servers k where k.organization_id = ${ctx.organizationId} and k.id = ${serverId}`,
    { isOnce: false },
  )
}

/** A new version of Parley is installed. */
export async function raiseVersion(ctx: StoreContext, version: string): Promise<void> {
  const details: AlertDetails = { event: null, name: version, by: null, slug: null }
  await raise(ctx, sql`select id, 'product', ${version}::text, ${JSON.stringify(details)}::jsonb from organizations`, {
    isOnce: true,
  })
}

/** Forgets alerts of more than a month ago; those of the bill stay until their month is certainly over. */
export async function forgetOld(ctx: StoreContext): Promise<void> {
  await sql`delete from alerts where created_at < now() - (case kind when 'billing' then 2 else 1 end) * ${KEPT_DAYS}::int
    * interval '1 day'`.execute(ctx.db)
}

/** @param news organization, kind, subject and details of what has happened */
async function raise(ctx: StoreContext, news: RawBuilder<unknown>, { isOnce, exceptUserId }: Raising): Promise<void> {
  const { rows } = await sql<Candidate>`
    with news (organization_id, kind, subject, details) as (${news})
    select n.organization_id as "organizationId", m.user_id as "userId", n.kind, n.subject, n.details, s.settings,
      m.role, o.time_zone as "timeZone"
    from news n join organizations o on o.id = n.organization_id join members m on m.organization_id = n.organization_id
      left join alert_settings s on s.organization_id = m.organization_id and s.user_id = m.user_id
    where m.user_id is distinct from ${exceptUserId ?? null} and not exists (
      select from alerts known where known.organization_id = n.organization_id and known.user_id = m.user_id
        and known.kind = n.kind and known.subject = n.subject and ${isOnce ? sql`true` : sql`known.seen_at is null`})
    order by m.user_id`.execute(ctx.db)
  const wanted = rows.filter(({ settings, role, timeZone, kind }) => {
    return settingsOf(settings, { role, timeZone }).ways[kind].length > 0
  })
  if (wanted.length === 0) return
  const given = wanted.map(({ organizationId, userId, kind, subject, details }) => {
    return { organization_id: organizationId, user_id: userId, kind, subject, details }
  })
  await sql`
    insert into alerts (organization_id, user_id, kind, subject, details)
    select organization_id, user_id, kind, subject, details
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as given (organization_id text, user_id text, kind text, subject text, details jsonb)
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing`.execute(ctx.db)
}
