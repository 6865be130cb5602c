// SQL that reads all organizations of the installation, for its administrators.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import { type Journal, type Page, type PageOrder, paginate } from '#server/platform/functions/paginate.ts'
import { containing } from '#server/platform/lib/text/search-pattern.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { AdminOrganization, OrganizationSort, PlanChoice } from '#shared/organizations/admin.ts'
import type { PaginationOpts } from '#shared/schema.ts'

type Filters = { search?: string | undefined; sort?: OrganizationSort | undefined }

const ORDERS = {
  name: order('asc', ['listed.name', 'text']),
  created: order('desc', ['listed.created_at', 'instant']),
  messages: order('desc', ['listed.messages', 'integer']),
  members: order('desc', ['listed.members', 'integer']),
  active: order('desc', ['listed.active_at', 'instant']),
} as const satisfies Record<OrganizationSort, unknown>

/** A page of organizations; those with most, or the latest, first; names from A. */
export function listOrganizations(
  ctx: StoreContext & { journal?: Journal },
  { search = '', sort = 'name' }: Filters,
  opts: PaginationOpts,
): Promise<Page<AdminOrganization>> {
  const pattern = containing(search)
  const found =
    pattern === null
      ? organizations(ctx)
      : organizations(ctx).where(({ eb, or }) =>
          or([eb('organization.searched', 'like', pattern), eb('owner.searched', 'like', pattern)]),
        )
  const listed = ctx.db.selectFrom(found.as('listed')).selectAll()
  return paginate(ctx, listed, opts, ORDERS[sort], toOrganization)
}

/** One organization. @throws AppError not_found */
export async function getListed(ctx: StoreContext, id: Id<'organizations'>): Promise<AdminOrganization> {
  const row = await organizations(ctx).where('organization.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toOrganization(row)
}

/** Plans that an organization can be given, in their order. */
export async function listPlanChoices({ db }: StoreContext): Promise<PlanChoice[]> {
  const rows = await db
    .selectFrom('plans')
    .select(['slug', 'name', 'archived_at'])
    .orderBy('sort_order')
    .orderBy('slug')
    .execute()
  return rows.map(({ slug, name, archived_at: archivedAt }) => ({ slug, name, isArchived: archivedAt !== null }))
}

type Column = 'listed.name' | 'listed.created_at' | 'listed.messages' | 'listed.members' | 'listed.active_at'

function order(
  direction: 'asc' | 'desc',
  by: [Column, 'text' | 'instant' | 'integer'],
): PageOrder<Column | 'listed.id'> {
  return { by: [by, ['listed.id', 'text']], direction }
}

/** Each row is computed from indexes, and only those of a page where the order allows it. */
function organizations({ db }: StoreContext) {
  return db
    .selectFrom('organizations as organization')
    .innerJoin('users as owner', 'owner.id', 'organization.owner_id')
    .leftJoin('plans', 'plans.slug', 'organization.plan')
    .select(['organization.id', 'organization.name', 'organization.plan', 'organization.monthly_limit'])
    .select(['organization.suspended_at', 'organization.suspended_reason', 'organization.created_at'])
    .select(['organization.owner_id', 'owner.name as owner_name', 'owner.email as owner_email'])
    .select(['plans.name as plan_name', 'plans.monthly_messages'])
    .select(({ selectFrom, fn, ref }) => [
      selectFrom('members')
        .whereRef('members.organization_id', '=', 'organization.id')
        .select(fn.countAll<number>().as('count'))
        .$asScalar()
        .as('members'),
      fn
        .coalesce(
          selectFrom('usage_months')
            .whereRef('usage_months.organization_id', '=', 'organization.id')
            .where(
              'usage_months.month',
              '=',
              sql<string>`to_char(now() at time zone ${ref('organization.time_zone')}, 'YYYY-MM')`,
            )
            .select(sql<number>`sum(messages)::bigint`.as('sum'))
            .$asScalar(),
          sql<number>`0`,
        )
        .as('messages'),
      // The epoch: never. An order has no place for nulls.
      fn
        .coalesce(
          selectFrom('conversations')
            .whereRef('conversations.organization_id', '=', 'organization.id')
            .where('conversations.folder', '=', 'inbox')
            .where('conversations.channel', '<>', 'test')
            .select((own) => own.fn.max('conversations.last_message_at').as('at'))
            .$asScalar(),
          sql<Date>`to_timestamp(0)`,
        )
        .as('active_at'),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof organizations>['execute']>>[number]

function toOrganization(row: Row): AdminOrganization {
  const activeAt = row.active_at.getTime()
  return {
    _id: row.id,
    name: row.name,
    plan: row.plan === null ? null : { slug: row.plan, name: row.plan_name ?? row.plan },
    monthlyLimit: row.monthly_limit,
    allowance: row.monthly_limit ?? row.monthly_messages,
    owner: { _id: row.owner_id, name: row.owner_name, email: row.owner_email },
    members: Number(row.members),
    messages: Number(row.messages),
    lastActiveAt: activeAt === 0 ? null : activeAt,
    suspendedAt: row.suspended_at?.getTime() ?? null,
    suspendedReason: row.suspended_reason,
    createdAt: row.created_at.getTime(),
  }
}
