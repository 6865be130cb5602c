// SQL that reads the audit trail.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import { type Journal, type Page, paginate } from '#server/platform/functions/paginate.ts'
import type { Id } from '#shared/ids.ts'
import type { AuditChoices, AuditEntry, AuditFilters, AuditRange } from '#shared/organizations/audit.ts'
import type { PaginationOpts } from '#shared/schema.ts'

type Reads = StoreContext & { journal?: Journal }

const HOUR_MS = 3_600_000
const SPANS: Record<AuditRange, number> = {
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
  all: Infinity,
}
const NEWEST_FIRST = {
  by: [
    ['audit_entries.at', 'instant'],
    ['audit_entries.id', 'text'],
  ],
  direction: 'desc',
} as const
/** Of actors and of actions, those that are offered. */
const CHOICES_MAX = 200

/** A page of entries, the newest first. */
export function listEntries(
  ctx: Reads,
  filters: AuditFilters,
  opts: PaginationOpts,
  now: Date,
): Promise<Page<AuditEntry>> {
  return paginate(ctx, entriesOf(ctx, filters, now), opts, NEWEST_FIRST, toEntry)
}

/** The newest entries, no more than `count`. */
export async function listNewest(
  ctx: StoreContext,
  filters: AuditFilters,
  count: number,
  now: Date,
): Promise<AuditEntry[]> {
  const rows = await entriesOf(ctx, filters, now)
    .orderBy('audit_entries.at', 'desc')
    .orderBy('audit_entries.id', 'desc')
    .limit(count)
    .execute()
  return rows.map(toEntry)
}

/** Who has acted, and what was done, in a time. */
export async function listChoices(ctx: StoreContext, filters: AuditFilters, now: Date): Promise<AuditChoices> {
  const { organizationId, range } = filters
  const all = within(ctx, { organizationId, range }, now)
  const actors = await all
    .where('actor_id', 'is not', null)
    .select(['actor_id', sql<string>`max(actor_name)`.as('name'), sql<string>`max(actor_email)`.as('email')])
    .groupBy('actor_id')
    .orderBy('name')
    .limit(CHOICES_MAX)
    .execute()
  const actions = await all.select('action').distinct().orderBy('action').limit(CHOICES_MAX).execute()
  return {
    actors: actors.map(({ actor_id, name, email }) => ({ _id: actor_id as Id<'users'>, name, email })),
    actions: actions.map(({ action }) => action),
  }
}

function entriesOf(ctx: StoreContext, filters: AuditFilters, now: Date) {
  return within(ctx, filters, now)
    .leftJoin('organizations', 'organizations.id', 'audit_entries.organization_id')
    .select([
      ...(['audit_entries.id', 'audit_entries.at', 'audit_entries.organization_id', 'actor_id', 'actor_name'] as const),
      ...(['actor_email', 'reason', 'action', 'resource', 'resource_name', 'before', 'after', 'address'] as const),
      'organizations.name as organization_name',
    ])
}

function within({ db }: StoreContext, { range, actorId, action, organizationId }: AuditFilters, now: Date) {
  let query = db.selectFrom('audit_entries')
  if (organizationId === null) query = query.where('audit_entries.organization_id', 'is', null)
  else if (organizationId !== undefined) query = query.where('audit_entries.organization_id', '=', organizationId)
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId)
  if (action !== undefined) query = query.where('action', '=', action)
  const span = SPANS[range]
  return Number.isFinite(span) ? query.where('audit_entries.at', '>=', new Date(now.getTime() - span)) : query
}

type Row = Awaited<ReturnType<ReturnType<typeof entriesOf>['execute']>>[number]

function toEntry(row: Row): AuditEntry {
  return {
    _id: row.id,
    at: row.at.getTime(),
    actor: row.actor_id && { _id: row.actor_id, name: row.actor_name, email: row.actor_email },
    reason: row.reason,
    action: row.action,
    resource: resourceOf(row),
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
    address: row.address,
    organization: row.organization_id && { _id: row.organization_id, name: row.organization_name },
  }
}

function resourceOf({ resource, resource_name: name }: Row): AuditEntry['resource'] {
  const colon = resource.indexOf(':')
  return colon < 0 ? null : { kind: resource.slice(0, colon), id: resource.slice(colon + 1), name }
}
