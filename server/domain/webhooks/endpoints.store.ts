// SQL of endpoints: where an organization wants to hear of what happens.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { WebhookEndpointsTable } from '#server/platform/db/tables/api.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { may, ORGANIZATION_ROLES } from '#shared/organizations/policy.ts'
import { WEBHOOK_ROTATION_HOURS } from '#shared/webhooks/webhook-limits.ts'
import type { OfferedType, WebhookEndpoint, WebhookSettings } from '#shared/webhooks/webhooks.ts'

type EndpointId = Id<'webhookEndpoints'>

const COLUMNS = [
  ...(['id', 'url', 'description', 'types', 'per_minute', 'state', 'disabled_reason', 'failing_since'] as const),
  ...(['retry_at', 'full_since', 'previous_until', 'last_delivered_at', 'created_at'] as const),
] as const

/** All endpoints, the oldest first, without their secrets. */
export async function listEndpoints(ctx: OrgStoreContext): Promise<WebhookEndpoint[]> {
  const rows = await own(ctx).select(COLUMNS).orderBy('created_at').orderBy('id').execute()
  return rows.map(toEndpoint)
}

/** One endpoint. @throws not_found */
export async function getEndpoint(ctx: OrgStoreContext, id: EndpointId): Promise<WebhookEndpoint> {
  const row = await own(ctx).where('id', '=', id).select(COLUMNS).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toEndpoint(row)
}

export async function countEndpoints(ctx: OrgStoreContext): Promise<number> {
  const { count } = await own(ctx)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type NewEndpoint = WebhookSettings & { id: EndpointId; secret: string; createdBy: Id<'users'> }

/** `secret`: encrypted. */
export async function insertEndpoint(ctx: OrgStoreContext, endpoint: NewEndpoint): Promise<void> {
  await ctx.db
    .insertInto('webhook_endpoints')
    .values({
      id: endpoint.id,
      organization_id: ctx.organizationId,
      secret: endpoint.secret,
      created_by: endpoint.createdBy,
      ...columnsOf(endpoint),
    })
    .execute()
}

/** Changes what people enter. Another address is tried at once, whatever became of the one before. */
export async function updateEndpoint(ctx: OrgStoreContext, id: EndpointId, settings: WebhookSettings): Promise<void> {
  const { url, ...rest } = columnsOf(settings)
  await ctx.db
    .updateTable('webhook_endpoints')
    .set((eb) => ({
      ...rest,
      url,
      retry_at: eb.case().when('url', '=', url).then(eb.ref('retry_at')).else(null).end(),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Switched on, an endpoint begins without its past failures and is tried at once. */
export async function switchEndpoint(ctx: OrgStoreContext, id: EndpointId, isOn: boolean): Promise<void> {
  await ctx.db
    .updateTable('webhook_endpoints')
    .set({
      ...{ state: isOn ? 'on' : 'off', disabled_reason: null },
      ...(isOn && { failures: 0, failing_since: null, retry_at: null }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Has a failing endpoint tried now instead of at the end of its pause. */
export async function tryNow(ctx: OrgStoreContext, id: EndpointId): Promise<void> {
  await ctx.db
    .updateTable('webhook_endpoints')
    .set({ retry_at: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('retry_at', 'is not', null)
    .execute()
}

/** The encrypted secret; held, so that of two rotations at once the second sees the first. @throws not_found */
export async function holdSecret(ctx: OrgStoreContext, id: EndpointId): Promise<string> {
  const row = await own(ctx).where('id', '=', id).select('secret').forUpdate().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.secret
}

/** Puts a new secret in the place of the present one, which stays valid for a day. Both are encrypted. */
export async function replaceSecret(
  ctx: OrgStoreContext,
  id: EndpointId,
  { secret, former }: { secret: string; former: string },
): Promise<void> {
  await ctx.db
    .updateTable('webhook_endpoints')
    .set({
      secret,
      previous_secret: former,
      previous_until: sql<Date>`now() + ${WEBHOOK_ROTATION_HOURS}::int * interval '1 hour'`,
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** With everything that waits for it, and its log. */
export async function deleteEndpoint(ctx: OrgStoreContext, id: EndpointId): Promise<void> {
  await ctx.db
    .deleteFrom('webhook_endpoints')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

type Disabled = {
  url: string
  reason: 'failing' | 'gone'
  people: { email: string; language: '' | 'ru' | 'en' }[]
}
const MAY_SWITCH = ORGANIZATION_ROLES.filter((role) => may(role, 'apiTokens.write'))

/** An endpoint that was disabled, and who may switch it on again. */
export async function findDisabled(ctx: StoreContext, id: EndpointId): Promise<Disabled> {
  const { rows } = await sql<Disabled>`
    select e.url, e.disabled_reason as reason, coalesce(jsonb_agg(jsonb_build_object('email', u.email, 'language', u.language))
      filter (where u.id is not null), '[]') as people
    from webhook_endpoints e
      left join members m on m.organization_id = e.organization_id and m.role = any (${MAY_SWITCH}::text[])
      left join users u on u.id = m.user_id
    where e.id = ${id} group by e.id`.execute(ctx.db)
  const [disabled] = rows
  if (!disabled) throw new AppError('not_found')
  return disabled
}

function own(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('webhook_endpoints').where('organization_id', '=', ctx.organizationId)
}

function columnsOf({ url, description, types, perMinute }: WebhookSettings) {
  return { url, description, types, per_minute: perMinute }
}

function toEndpoint(row: Pick<Selectable<WebhookEndpointsTable>, (typeof COLUMNS)[number]>): WebhookEndpoint {
  return {
    _id: row.id,
    url: row.url,
    description: row.description,
    types: row.types as OfferedType[],
    perMinute: row.per_minute,
    state: row.state,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.getTime() ?? null,
    retryAt: row.retry_at?.getTime() ?? null,
    fullSince: row.full_since?.getTime() ?? null,
    previousSecretUntil: row.previous_until?.getTime() ?? null,
    lastDeliveredAt: row.last_delivered_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
  }
}
