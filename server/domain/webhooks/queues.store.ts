// SQL of delivering: which events leave now, and what came of each attempt. A queue holds the events of one subject at one endpoint; an
// attempt leases the queue, so that the next event of a conversation waits for the one before.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { WEBHOOK_FAILING_DAYS } from '#shared/webhooks/webhook-limits.ts'
import type { WebhookType } from '#shared/webhooks/webhooks.ts'
import { type Attempt, FAILURES_TO_REST, REST_WAITS_MS, type Verdict } from './webhooks.rules.ts'

/** Attempts under way at once: at one endpoint, and of one organization. */
const ENDPOINT_AT_ONCE = 5
const ORGANIZATION_AT_ONCE = 10
/** Longer than an attempt may last: then another server takes it over. */
const LEASE_SECONDS = 60

/** A leased queue with the event at its head; null: its events were erased meanwhile. */
export type Leased = {
  organizationId: Id<'organizations'>
  endpointId: Id<'webhookEndpoints'>
  subject: string
  url: string
  secret: string
  /** Null: there is none, or it is not valid any more. */
  previousSecret: string | null
  delivery: Outgoing | null
}
export type Outgoing = {
  id: Id<'webhookDeliveries'>
  eventId: Id<'webhookEvents'>
  type: WebhookType
  data: Record<string, unknown>
  /** Milliseconds. */
  happenedAt: number
  tries: number
  firstAgoMs: number
}

/** The endpoints that may be tried, and how many attempts each has room for; a failing one is tried by one event at a time. */
const OPEN = sql`
  busy as (
    select endpoint_id, organization_id, count(*)::int as attempts from webhook_queues where lease_until > now() group by 1, 2
  ), open as (
    select e.id, e.organization_id, e.failures >= ${FAILURES_TO_REST}::int as is_failing,
      least(case when e.failures >= ${FAILURES_TO_REST}::int then 1 else ${ENDPOINT_AT_ONCE}::int end - coalesce(busy.attempts, 0),
        e.per_minute - case when e.minute_at > now() - interval '1 minute' then e.minute_count else 0 end) as room
    from webhook_endpoints e left join busy on busy.endpoint_id = e.id
    where e.state = 'on' and (e.retry_at is null or e.retry_at <= now())
  )`

/**
 * Leases the queues whose turn it is. Organizations take turns, so that one with much to send does not hold up the others; an endpoint that
 * fails is tried by the event that was tried the longest ago.
 */
export async function leaseQueues(ctx: StoreContext, lease: string, limit: number): Promise<Leased[]> {
  const { rows } = await sql<Leased>`
    with ${OPEN}, heads as (
      select head.endpoint_id, head.subject, open.organization_id,
        row_number() over (partition by open.organization_id order by head.due_at) as turn
      from open cross join lateral (
        (select q.endpoint_id, q.subject, q.due_at from webhook_queues q
          where not open.is_failing and q.endpoint_id = open.id and q.due_at <= now() and (q.lease_until is null or q.lease_until <= now())
          order by q.due_at limit greatest(open.room, 0))
        union all
        (select q.endpoint_id, q.subject, q.due_at from webhook_queues q
          where open.is_failing and q.endpoint_id = open.id and q.due_at is not null and (q.lease_until is null or q.lease_until <= now())
          order by q.tried_at nulls first limit greatest(open.room, 0))
      ) head
    ), chosen as (
      select heads.endpoint_id, heads.subject from heads
      where heads.turn <= ${ORGANIZATION_AT_ONCE}::int
        - coalesce((select sum(busy.attempts) from busy where busy.organization_id = heads.organization_id), 0)
      order by heads.turn limit ${limit}::int
    ), held as (
      select q.endpoint_id, q.subject from webhook_queues q join chosen using (endpoint_id, subject)
      where q.lease_until is null or q.lease_until <= now() for update of q skip locked
    ), leased as (
      update webhook_queues q set lease = ${lease}, tried_at = now(), lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
      from held where q.endpoint_id = held.endpoint_id and q.subject = held.subject
      returning q.endpoint_id, q.subject
    ), counted as (
      update webhook_endpoints e set minute_count = of_each.attempts + case when e.minute_at > now() - interval '1 minute' then e.minute_count else 0 end,
        minute_at = case when e.minute_at > now() - interval '1 minute' then e.minute_at else now() end
      from (select endpoint_id, count(*)::int as attempts from leased group by 1) of_each
      where e.id = of_each.endpoint_id and e.per_minute is not null
    )
    select e.organization_id as "organizationId", e.id as "endpointId", leased.subject, e.url, e.secret,
      case when e.previous_until > now() then e.previous_secret end as "previousSecret", head.delivery
    from leased join webhook_endpoints e on e.id = leased.endpoint_id
      left join lateral (
        select jsonb_build_object('id', d.id, 'eventId', d.event_id, 'type', d.type, 'data', v.data, 'tries', d.tries,
          'happenedAt', round(1000 * extract(epoch from v.created_at)),
          'firstAgoMs', coalesce(round(1000 * extract(epoch from now() - d.first_tried_at)), 0)) as delivery
        from webhook_deliveries d join webhook_events v on v.organization_id = d.organization_id and v.id = d.event_id
        where d.endpoint_id = leased.endpoint_id and d.subject = leased.subject and d.state = 'waiting' order by d.sequence limit 1
      ) head on true`.execute(ctx.db)
  return rows
}

/** In how many milliseconds an event may leave, 0 or less: now; null: none waits. */
export async function nextDue(ctx: StoreContext): Promise<number | null> {
  const { rows } = await sql<{ inMs: number | null }>`
    select ceil(1000 * extract(epoch from min(greatest(
        case when e.failures >= ${FAILURES_TO_REST}::int then e.retry_at else next.due_at end, e.retry_at, next.lease_until,
        case when e.minute_count >= e.per_minute then e.minute_at + interval '1 minute' end)) - now()))::float8 as "inMs"
    from webhook_endpoints e cross join lateral (
      select q.due_at, case when e.failures >= ${FAILURES_TO_REST}::int then q.lease_until end as lease_until from webhook_queues q
      where q.endpoint_id = e.id and q.due_at is not null and (q.lease_until is null or q.lease_until <= now() or e.failures >= ${FAILURES_TO_REST}::int)
      order by q.due_at limit 1
    ) next
    where e.state = 'on'`.execute(ctx.db)
  return rows[0]?.inMs ?? null
}

/** An attempt that has ended, with what follows for the event. `restMs`: for how long the receiver asked to be left alone. */
export type Ended = { leased: Leased; lease: string; attempt: Attempt; verdict: Verdict; restMs: number }

/**
 * Records an attempt and gives its queue back. Without effect when the lease has run out and another attempt holds the queue: that one
 * records, and the receiver knows the event by its id.
 *
 * @returns whether the endpoint was disabled by this
 */
export async function recordAttempt(ctx: StoreContext, ended: Ended): Promise<boolean> {
  if (!(await holdQueue(ctx, ended))) return false
  const { leased, attempt, verdict } = ended
  if (leased.delivery) await noteAttempt(ctx, leased.delivery.id, attempt, verdict)
  await giveBack(ctx, leased, verdict)
  return attempt.error === null ? noteSuccess(ctx, leased) : noteFailure(ctx, ended)
}

/** Gives a queue back whose events are gone. */
export async function releaseQueue(ctx: StoreContext, held: Pick<Ended, 'leased' | 'lease'>): Promise<void> {
  if (await holdQueue(ctx, held)) await giveBack(ctx, held.leased, { state: 'delivered' })
}

/** A statement of its own: what is read after it sees what others have added to the queue. */
async function holdQueue(ctx: StoreContext, { leased, lease }: Pick<Ended, 'leased' | 'lease'>): Promise<boolean> {
  const { rows } = await sql`select from webhook_queues
    where endpoint_id = ${leased.endpointId} and subject = ${leased.subject} and lease = ${lease} for update`.execute(
    ctx.db,
  )
  return rows.length > 0
}

async function noteAttempt(ctx: StoreContext, id: Id<'webhookDeliveries'>, attempt: Attempt, { state }: Verdict) {
  await sql`
    with noted as (
      update webhook_deliveries set state = ${state}, tries = tries + 1, attempts = attempts + 1, last_tried_at = now(),
        first_tried_at = coalesce(first_tried_at, now()), last_status = ${attempt.status}::int, last_error = ${attempt.error}
      where id = ${id} and state = 'waiting' returning organization_id, id, attempts
    )
    insert into webhook_attempts (organization_id, delivery_id, number, status, error, latency_ms, answer)
    select organization_id, id, attempts, ${attempt.status}::int, ${attempt.error}, ${attempt.latencyMs}::int, ${attempt.answer} from noted`.execute(
    ctx.db,
  )
}

async function giveBack(ctx: StoreContext, { endpointId, subject }: Leased, verdict: Verdict): Promise<void> {
  const waitMs = verdict.state === 'waiting' ? verdict.waitMs : 0
  await sql`
    update webhook_queues q set lease = null, lease_until = null, due_at = case when exists (select from webhook_deliveries d
      where d.endpoint_id = q.endpoint_id and d.subject = q.subject and d.state = 'waiting') then now() + ${waitMs}::float8 * interval '1 millisecond' end
    where q.endpoint_id = ${endpointId} and q.subject = ${subject}`.execute(ctx.db)
}

/** An endpoint that works again gets at once what waits for it. */
async function noteSuccess(ctx: StoreContext, { endpointId }: Leased): Promise<false> {
  await sql`
    with noted as (
      update webhook_endpoints e set failures = 0, failing_since = null, retry_at = null, last_delivered_at = now()
      from (select id, failures from webhook_endpoints where id = ${endpointId}) before
      where e.id = before.id
        and (e.failures > 0 or e.last_delivered_at is null or e.last_delivered_at < now() - interval '1 minute')
      returning e.id, before.failures
    )
    update webhook_queues q set due_at = now() from noted
    where q.endpoint_id = noted.id and noted.failures >= ${FAILURES_TO_REST}::int and q.due_at > now() and q.lease is null`.execute(
    ctx.db,
  )
  return false
}

/** Attempts that were under way together fail together: while the endpoint rests already, they do not lengthen its pause. */
async function noteFailure(ctx: StoreContext, { leased, attempt, restMs }: Ended): Promise<boolean> {
  const isGone = attempt.status === 410
  const { rows } = await sql<{ isDisabled: boolean }>`
    with failed as (
      select id, failures + (retry_at is null or retry_at <= now())::int as failures, coalesce(failing_since, now()) as failing_since,
        case when ${isGone}::boolean then 'gone'
          when failing_since <= now() - ${WEBHOOK_FAILING_DAYS}::int * interval '1 day' then 'failing' end as reason
      from webhook_endpoints where id = ${leased.endpointId} and state <> 'disabled' for no key update
    )
    update webhook_endpoints e set failures = failed.failures, failing_since = failed.failing_since, disabled_reason = failed.reason,
      state = case when failed.reason is null then e.state else 'disabled' end,
      retry_at = greatest(e.retry_at, case when ${restMs}::float8 > 0 then now() + ${restMs}::float8 * interval '1 millisecond' end,
        case when failed.failures >= ${FAILURES_TO_REST}::int and (e.retry_at is null or e.retry_at <= now())
          then now() + (${[...REST_WAITS_MS]}::int[])[least(failed.failures - ${FAILURES_TO_REST - 1}::int, ${REST_WAITS_MS.length}::int)]
            * interval '1 millisecond' end)
    from failed where e.id = failed.id
    returning failed.reason is not null as "isDisabled"`.execute(ctx.db)
  return rows[0]?.isDisabled ?? false
}
