// SQL of the log of deliveries: read in pages, and replayed.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { type Journal, type Page, paginate } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import type {
  AttemptError,
  DeliveryCounts,
  DeliveryState,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from '#shared/webhooks/webhooks.ts'
import { bodyOf } from './deliver.ts'

type EndpointId = Id<'webhookEndpoints'>
type DeliveryId = Id<'webhookDeliveries'>

const COUNTED_MAX = 1000
/** Attempts of one delivery that are shown, the newest. */
const ATTEMPTS_SHOWN = 50
const NEWEST_FIRST = { by: [['sequence', 'integer']], direction: 'desc' } as const

/** A page of an endpoint's deliveries, the newest first. */
export function listDeliveries(
  ctx: OrgStoreContext & { journal?: Journal },
  { endpointId, state }: { endpointId: EndpointId; state?: DeliveryState | undefined },
  opts: PaginationOpts,
): Promise<Page<WebhookDelivery>> {
  const all = own(ctx).where('endpoint_id', '=', endpointId).select(COLUMNS)
  return paginate(ctx, state ? all.where('state', '=', state) : all, opts, NEWEST_FIRST, toDelivery)
}

/** What waits and what was given up, up to a thousand of each. */
export async function countDeliveries(ctx: OrgStoreContext, endpointId: EndpointId): Promise<DeliveryCounts> {
  const count = async (state: DeliveryState) => {
    const some = own(ctx)
      .where('endpoint_id', '=', endpointId)
      .where('state', '=', state)
      .select('id')
      .limit(COUNTED_MAX)
    const { counted } = await ctx.db
      .selectFrom(some.as('some'))
      .select(({ fn }) => fn.countAll<string>().as('counted'))
      .executeTakeFirstOrThrow()
    return Number(counted)
  }
  return { waiting: await count('waiting'), dead: await count('dead'), max: COUNTED_MAX }
}

/** One delivery with what is sent, and its attempts. @throws not_found */
export async function getDelivery(ctx: OrgStoreContext, id: DeliveryId): Promise<WebhookDeliveryDetails> {
  const row = await own(ctx).where('id', '=', id).select(COLUMNS).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const event = await ctx.db
    .selectFrom('webhook_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', row.event_id)
    .select(['type', 'data', 'created_at'])
    .executeTakeFirstOrThrow()
  const attempts = await ctx.db
    .selectFrom('webhook_attempts')
    .where('organization_id', '=', ctx.organizationId)
    .where('delivery_id', '=', id)
    .select(['number', 'created_at', 'status', 'error', 'latency_ms', 'answer'])
    .orderBy('number', 'desc')
    .limit(ATTEMPTS_SHOWN)
    .execute()
  return {
    ...toDelivery(row),
    body: bodyOf({ type: event.type, data: event.data, happenedAt: event.created_at.getTime() }),
    log: attempts.map(({ number, created_at: at, status, error, latency_ms: latencyMs, answer }) => {
      return { number, at: at.getTime(), status, error: error as AttemptError | null, latencyMs, answer }
    }),
  }
}

/** Sends a delivery once more, with the tries of a new one. @returns its endpoint @throws not_found */
export async function replayDelivery(ctx: OrgStoreContext, id: DeliveryId): Promise<EndpointId> {
  const { rows } = await sql<{ endpointId: EndpointId }>`
    with found as (
      select endpoint_id, subject from webhook_deliveries where organization_id = ${ctx.organizationId} and id = ${id}
    ), queue as (
      ${makeDue(ctx, sql`select endpoint_id, subject from found`)}
    )
    update webhook_deliveries set ${FROM_THE_START} where organization_id = ${ctx.organizationId} and id = ${id}
    returning endpoint_id as "endpointId"`.execute(ctx.db)
  const [replayed] = rows
  if (!replayed) throw new AppError('not_found')
  return replayed.endpointId
}

/** Sends everything once more that an endpoint was given up for. @returns how many */
export async function replayDead(ctx: OrgStoreContext, endpointId: EndpointId): Promise<number> {
  const dead = sql`organization_id = ${ctx.organizationId} and endpoint_id = ${endpointId} and state = 'dead'`
  const { rows } = await sql<{ count: number }>`
    with queue as (
      ${makeDue(ctx, sql`select distinct endpoint_id, subject from webhook_deliveries where ${dead} order by subject`)}
    ), replayed as (
      update webhook_deliveries set ${FROM_THE_START} where ${dead} returning 1
    )
    select count(*)::int as count from replayed`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

const FROM_THE_START = sql`state = 'waiting', tries = 0, first_tried_at = null`

/** Statement: has these queues looked at. @param queues a query of endpoint_id and subject, each pair once */
function makeDue(ctx: OrgStoreContext, queues: ReturnType<typeof sql>) {
  return sql`insert into webhook_queues (organization_id, endpoint_id, subject, due_at)
      select ${ctx.organizationId}, wanted.endpoint_id, wanted.subject, now() from (${queues}) wanted
      on conflict (endpoint_id, subject) do update set due_at = now(), tried_at = null`
}

const COLUMNS = [
  ...(['id', 'event_id', 'type', 'state', 'attempts', 'last_tried_at', 'last_status', 'last_error'] as const),
  ...(['sequence', 'created_at'] as const),
] as const

function own(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('webhook_deliveries').where('organization_id', '=', ctx.organizationId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]
const selected = (ctx: OrgStoreContext) => own(ctx).select(COLUMNS)

function toDelivery(row: Row): WebhookDelivery {
  return {
    _id: row.id,
    eventId: row.event_id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    lastTriedAt: row.last_tried_at?.getTime() ?? null,
    lastStatus: row.last_status,
    lastError: row.last_error as AttemptError | null,
    createdAt: row.created_at.getTime(),
  }
}
