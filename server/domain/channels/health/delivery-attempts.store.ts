// SQL for the log of attempts to reach the programs behind HTTP connections, and for the state of a connection by its last attempt.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { DeliveryAttempt, DeliveryOutcome } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { DELIVERY_LOG_MAX, DELIVERY_LOG_SHOWN } from '#shared/limits.ts'

/** One attempt. `outboxId` null: a test. */
export type DeliveryAttemptRow = {
  organizationId: Id<'organizations'>
  connectionId: Id<'channelConnections'>
  outboxId: Id<'outbox'> | null
  attempt: number
  /** By the clock of the database. */
  begunAt: Date
  outcome: DeliveryOutcome
  httpStatus: number | null
  latencyMs: number
  reason: string | null
}
type End = Pick<DeliveryAttemptRow, 'outcome' | 'httpStatus' | 'reason'>

/** Starts timing an attempt to send a part. @returns a function that makes its row when it has ended */
export function startAttempt(
  part: { id: Id<'outbox'> } & Pick<DeliveryAttemptRow, 'organizationId' | 'connectionId'>,
  { attempt, begunAt }: Pick<DeliveryAttemptRow, 'attempt' | 'begunAt'>,
): (end: End) => DeliveryAttemptRow {
  const startedAt = performance.now()
  const { organizationId, connectionId, id: outboxId } = part
  return (end) => {
    const latencyMs = Math.round(performance.now() - startedAt)
    return { organizationId, connectionId, outboxId, attempt, begunAt, latencyMs, ...end }
  }
}

/** Records attempts, in order, and removes the oldest of their connections. The last one of each decides the state of the connection. */
export async function logAttempts(ctx: StoreContext, attempts: DeliveryAttemptRow[]): Promise<void> {
  if (attempts.length === 0) return
  const rows = attempts.map((attempt) => ({ id: newId(), ...attempt }))
  await sql`
    insert into delivery_attempts (id, organization_id, connection_id, outbox_id, attempt, outcome, http_status, latency_ms, reason)
    select a."id", a."organizationId", a."connectionId", a."outboxId", a."attempt", a."outcome", a."httpStatus", a."latencyMs", a."reason"
    from json_to_recordset(${JSON.stringify(rows)}::json) as a ("id" text, "organizationId" text, "connectionId" text, "outboxId" text,
      "attempt" int, "outcome" text, "httpStatus" int, "latencyMs" int, "reason" text)
    where exists (select from channel_connections c where c.id = a."connectionId")
      and (a."outboxId" is null or exists (select from outbox o where o.id = a."outboxId"))`.execute(ctx.db)
  const begun = rows.toSorted((a, b) => a.begunAt.getTime() - b.begunAt.getTime())
  const last = [...new Map(begun.map((row) => [row.connectionId, row])).values()]
  await sql`
    delete from delivery_attempts d where d.connection_id = any (${last.map((row) => row.connectionId)}::text[])
      and d.id <= (select k.id from delivery_attempts k where k.connection_id = d.connection_id
        order by k.id desc offset ${DELIVERY_LOG_MAX}::int limit 1)`.execute(ctx.db)
  await sql`
    update channel_connections c set last_error = a.reason, judged_at = a.begun_at,
      status = case when a.reason is null and c.status <> 'disconnected' then 'connected' else c.status end
    from unnest(${last.map((row) => row.connectionId)}::text[], ${last.map((row) => row.reason)}::text[],
      ${last.map((row) => row.begunAt)}::timestamptz[]) as a (id, reason, begun_at)
    where c.id = a.id and (c.judged_at is null or c.judged_at <= a.begun_at)
      and (c.last_error is distinct from a.reason or (a.reason is null and c.status in ('pending', 'error')))`.execute(
    ctx.db,
  )
}

/** The latest attempts of a connection, newest first. */
export async function listAttempts(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
): Promise<DeliveryAttempt[]> {
  const rows = await ctx.db
    .selectFrom('delivery_attempts as d')
    .leftJoin('outbox as o', (join) =>
      join.onRef('o.id', '=', 'd.outbox_id').onRef('o.organization_id', '=', 'd.organization_id'),
    )
    .where('d.organization_id', '=', ctx.organizationId)
    .where('d.connection_id', '=', connectionId)
    .select([
      'd.id',
      'd.created_at',
      'd.outcome',
      'd.http_status',
      'd.latency_ms',
      'd.reason',
      'd.attempt',
      'd.outbox_id',
    ])
    .select(['o.conversation_id', 'o.status', 'o.attempt as last_attempt'])
    .orderBy('d.id', 'desc')
    .limit(DELIVERY_LOG_SHOWN)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    at: row.created_at.getTime(),
    outcome: row.outcome,
    httpStatus: row.http_status,
    latencyMs: row.latency_ms,
    reason: row.reason,
    attempt: row.attempt,
    conversationId: row.conversation_id,
    resendId: isGivenUp(row) ? row.outbox_id : null,
  }))
}

/** Only the last attempt of a part offers to resend it. */
function isGivenUp({ attempt, ...part }: { attempt: number; last_attempt: number | null; status: string | null }) {
  return attempt === part.last_attempt && (part.status === 'failed' || part.status === 'unknown')
}

/** Removes the attempts to deliver messages of these conversations. */
export async function deleteAttemptsFor(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<void> {
  const { organizationId } = ctx
  await sql`delete from delivery_attempts where organization_id = ${organizationId} and outbox_id in (
    select id from outbox where organization_id = ${organizationId} and conversation_id = any (${conversationIds}::text[]))`.execute(
    ctx.db,
  )
}
