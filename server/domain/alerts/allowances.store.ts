// SQL over all organizations for alerts that the clock brings.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import { USAGE_CRITICAL_SHARE, USAGE_WARNING_SHARE } from '#shared/limits.ts'

const KEPT_DAYS = 30

/** One alert for each member, month and share of the allowance, whether it was seen or not. */
export async function raiseAllowances(ctx: StoreContext): Promise<void> {
  await sql`
    insert into alerts (organization_id, user_id, kind, subject)
    select q.organization_id, m.user_id, 'allowance', q.period || ' ' || share.name
    from organizations o left join plans p on p.slug = o.plan
      join quotas q on q.organization_id = o.id and q.period = to_char(now() at time zone o.time_zone, 'YYYY-MM')
      join members m on m.organization_id = o.id
      cross join lateral (select q.used / nullif(coalesce(o.monthly_limit, p.monthly_messages), 0)::float8 as used) month
      cross join lateral (select case when month.used >= ${USAGE_CRITICAL_SHARE}::float8 then 'critical'
        when month.used >= ${USAGE_WARNING_SHARE}::float8 then 'warning' end as name) share
    where share.name is not null and not exists (
      select from alerts known where known.organization_id = o.id and known.user_id = m.user_id and known.kind = 'allowance'
        and known.subject = q.period || ' ' || share.name)
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing`.execute(ctx.db)
}

/** Forgets alerts of more than a month ago; those of the allowance stay until their month is certainly over. */
export async function forgetOld(ctx: StoreContext): Promise<void> {
  await sql`delete from alerts where created_at < now() - (case kind when 'allowance' then 2 else 1 end) * ${KEPT_DAYS}::int
    * interval '1 day'`.execute(ctx.db)
}
