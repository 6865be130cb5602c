// SQL of events: written for the endpoints that want them, and forgotten. Most are written by triggers, in the transactions of their causes:
// see migration 022.
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { USAGE_CRITICAL_SHARE, USAGE_WARNING_SHARE } from '#shared/limits.ts'
import type { WEBHOOK_DATA } from '#shared/webhooks/payloads.ts'
import { WEBHOOK_LOG_DAYS, WEBHOOK_WAITING_MAX } from '#shared/webhooks/webhook-limits.ts'
import type { WebhookType } from '#shared/webhooks/webhooks.ts'

/** Rows that are deleted by one statement. */
const BATCH = 1000
/** Events of a month are kept until it is certainly over, since one that is there is not written again. */
const ONCE_DAYS = 62

/** What has happened. `subject`: events of one subject leave one after another; those of a conversation have its id. */
export type NewEvent<Type extends WebhookType> = {
  type: Type
  subject: string
  /** With which it is erased; null: it has no words of a customer. */
  conversationId: Id<'conversations'> | null
  data: z.infer<(typeof WEBHOOK_DATA)[Type]>
}

/**
 * Writes an event in the caller's transaction: it leaves if, and only if, that commits. Triggers drop one that no endpoint wants, and queue
 * the others.
 */
export async function emitEvent<Type extends WebhookType>(ctx: OrgStoreContext, event: NewEvent<Type>): Promise<void> {
  const { type, subject, conversationId, data } = event
  await sql`insert into webhook_events (organization_id, type, subject, conversation_id, data)
    values (${ctx.organizationId}, ${type}, ${subject}, ${conversationId}, ${JSON.stringify(data)}::jsonb)`.execute(
    ctx.db,
  )
}

/** An event to one endpoint alone, whatever types it wants. It waits for no other. */
export async function emitTest(ctx: OrgStoreContext, endpointId: Id<'webhookEndpoints'>, now: Date): Promise<void> {
  const data = { endpoint: { _id: endpointId }, sentAt: now.getTime() }
  const id = newId('webhookEvents')
  await sql`insert into webhook_events (id, organization_id, type, subject, endpoint_id, data)
    values (${id}, ${ctx.organizationId}, 'webhook.test', ${`test ${id}`}, ${endpointId}, ${JSON.stringify(data)}::jsonb)`.execute(
    ctx.db,
  )
}

/** Messages of a month that has no quota, since nothing stops answers beyond its allowance. */
const monthSums = sql`select sum(u.messages)::float8 as messages from usage_months u
  where u.organization_id = o.id and u.month = clock.month and coalesce(o.monthly_limit, p.monthly_messages) is not null`

/** The month is nearly used up, or its money is: once for each month and threshold, for organizations that want to know. */
export async function emitLimits(ctx: StoreContext): Promise<void> {
  await sql`
    insert into webhook_events (organization_id, type, subject, once_key, data)
    select o.id, 'limit.near', 'limits', 'limit ' || reached.name || ' ' || reached.percent || ' ' || clock.month,
      jsonb_build_object('limit', reached.name, 'period', clock.month, 'percent', reached.percent, 'used', reached.used,
        'allowed', reached.allowed, 'noticedAt', round(1000 * extract(epoch from now()))::bigint)
    from organizations o left join plans p on p.slug = o.plan
      cross join lateral (select to_char(now() at time zone o.time_zone, 'YYYY-MM') as month) clock
      left join quotas q on q.organization_id = o.id and q.period = clock.month
      left join lateral (${monthSums}) own on q.period is null
      cross join lateral (values
        ('messages', coalesce(q.used, own.messages)::float8, coalesce(o.monthly_limit, p.monthly_messages)::float8,
          ${Math.round(USAGE_WARNING_SHARE * 100)}::int),
        ('messages', coalesce(q.used, own.messages)::float8, coalesce(o.monthly_limit, p.monthly_messages)::float8,
          ${Math.round(USAGE_CRITICAL_SHARE * 100)}::int),
        ('spending', q.cost_micro_usd::float8, o.monthly_spend_limit_micro_usd::float8, ${Math.round(USAGE_WARNING_SHARE * 100)}::int),
        ('spending', q.cost_micro_usd::float8, o.monthly_spend_limit_micro_usd::float8, 100)
      ) reached (name, used, allowed, percent)
    where exists (select from webhook_endpoints e where e.organization_id = o.id and e.state <> 'off' and 'limit.near' = any (e.types))
      and reached.allowed > 0 and reached.used * 100 >= reached.allowed * reached.percent
    order by o.id, reached.name, reached.percent
    on conflict (organization_id, once_key) where once_key is not null do nothing`.execute(ctx.db)
}

/** Marks the endpoints for which as much waits as is kept, and those for which there is room again. */
export async function markFull(ctx: StoreContext): Promise<void> {
  await sql`
    update webhook_endpoints e set full_since = case when counted.is_full then now() end
    from (select o.id, (select count(*) from (select from webhook_deliveries d where d.organization_id = o.organization_id
        and d.endpoint_id = o.id and d.state = 'waiting' limit ${WEBHOOK_WAITING_MAX}::int) waiting) >= ${WEBHOOK_WAITING_MAX}::int as is_full
      from webhook_endpoints o) counted
    where e.id = counted.id and counted.is_full <> (e.full_since is not null)`.execute(ctx.db)
}

/** Deletes events that are too old, a batch of them. @returns how many */
export async function deleteOldEvents(ctx: StoreContext): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_events where id = any (array(select id from webhook_events
      where created_at < now() - (case when once_key is null then ${WEBHOOK_LOG_DAYS}::int else ${ONCE_DAYS}::int end) * interval '1 day'
        and created_at < now() - ${WEBHOOK_LOG_DAYS}::int * interval '1 day' order by created_at limit ${BATCH}::int))`.execute(
    ctx.db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Deletes queues in which nothing waits; one that is made meanwhile is made again. */
export async function deleteEmptyQueues(ctx: StoreContext): Promise<void> {
  await sql`delete from webhook_queues q using webhook_endpoints e
    where e.id = q.endpoint_id and q.due_at is null and q.lease is null and q.tried_at < now() - interval '1 hour'`.execute(
    ctx.db,
  )
}

/** Takes former secrets away that are not valid any more. */
export async function forgetFormerSecrets(ctx: StoreContext): Promise<void> {
  await sql`update webhook_endpoints set previous_secret = null, previous_until = null where previous_until < now()`.execute(
    ctx.db,
  )
}
