// SQL of the invitations of all organizations, and of the organization to which an address belongs.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import { type Journal, type Page, paginate } from '#server/platform/functions/paginate.ts'
import { containing } from '#server/platform/lib/text/search-pattern.ts'
import type { Id } from '#shared/ids.ts'
import type { AdminInvite, InviteFilters, OrganizationChoice } from '#shared/organizations/admin-invites.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { inviteState } from './invites.rules.ts'

/** Organizations that are offered for a choice at once. */
const CHOICES_SHOWN = 25

const NEWEST_FIRST = {
  by: [
    ['invites.created_at', 'instant'],
    ['invites.id', 'text'],
  ],
  direction: 'desc',
} as const

/** A page of invitations, the newest first. */
export function listAllInvites(
  ctx: StoreContext & { journal?: Journal },
  filters: InviteFilters,
  opts: PaginationOpts,
  now: Date,
): Promise<Page<AdminInvite>> {
  return paginate(ctx, invites(ctx, filters, now), opts, NEWEST_FIRST, (row) => toInvite(row, now))
}

/** The newest invitations, no more than `count`. */
export async function listNewestInvites(
  ctx: StoreContext,
  filters: InviteFilters,
  count: number,
  now: Date,
): Promise<AdminInvite[]> {
  const rows = await invites(ctx, filters, now)
    .orderBy('invites.created_at', 'desc')
    .orderBy('invites.id', 'desc')
    .limit(count)
    .execute()
  return rows.map((row) => toInvite(row, now))
}

/** Organizations with a text in their names, by name; no more than one can look through. */
export async function findOrganizations({ db }: StoreContext, search: string): Promise<OrganizationChoice[]> {
  const pattern = containing(search)
  const named = db
    .selectFrom('organizations')
    .$if(pattern !== null, (query) => query.where('searched', 'like', pattern))
  return named
    .select((eb) => [
      'id as _id',
      'name',
      eb
        .selectFrom('members')
        .innerJoin('users', 'users.id', 'members.user_id')
        .whereRef('members.organization_id', '=', 'organizations.id')
        .where('members.role', '=', 'owner')
        .select('users.email')
        .orderBy('users.email')
        .limit(1)
        .as('owner'),
    ])
    .orderBy('name')
    .orderBy('id')
    .limit(CHOICES_SHOWN)
    .execute()
}

/** The organization of an invitation; undefined: there is no such invitation. */
export async function findInvited(ctx: StoreContext, id: Id<'invites'>): Promise<Id<'organizations'> | undefined> {
  const row = await ctx.db.selectFrom('invites').where('id', '=', id).select('organization_id').executeTakeFirst()
  return row?.organization_id
}

/** Whether the owner of an address belongs to an organization. */
export async function isMemberOfAny(ctx: StoreContext, email: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .where('users.email', '=', email)
    .select('users.id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The one organization whose support address, or most of whose members, have a domain; undefined: none, or several. */
export async function detectOrganization(ctx: StoreContext, domain: string): Promise<Id<'organizations'> | undefined> {
  const isOfDomain = sql<boolean>`split_part(users.email, '@', 2) = ${domain}`
  const bySupport = ctx.db
    .selectFrom('organizations')
    .where(sql<string>`split_part(support_email, '@', 2)`, '=', domain)
    .select('id')
  const withColleagues = ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where(isOfDomain)
    .select('members.organization_id')
  const byMembers = ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', 'in', withColleagues)
    .groupBy('members.organization_id')
    .having(sql<boolean>`2 * count(*) filter (where ${isOfDomain}) > count(*)`)
    .select('members.organization_id as id')
  const found = await bySupport.union(byMembers).limit(2).execute()
  return found.length === 1 ? found[0]?.id : undefined
}

function invites(ctx: StoreContext, { status, search }: InviteFilters, now: Date) {
  let query = ctx.db
    .selectFrom('invites')
    .innerJoin('organizations', 'organizations.id', 'invites.organization_id')
    .leftJoin('users', 'users.id', 'invites.invited_by')
    .selectAll('invites')
    .select(['organizations.name as organization_name', 'users.name as invited_by_name'])
  const pattern = containing(search ?? '')
  if (pattern !== null)
    query = query.where(({ eb, or }) =>
      or([eb('invites.email', 'like', pattern), eb('organizations.searched', 'like', pattern)]),
    )
  if (status === undefined) return query
  if (status === 'accepted') return query.where('invites.accepted_at', 'is not', null)
  query = query.where('invites.accepted_at', 'is', null)
  if (status === 'revoked') return query.where('invites.revoked_at', 'is not', null)
  return query
    .where('invites.revoked_at', 'is', null)
    .where('invites.expires_at', status === 'expired' ? '<=' : '>', now)
}

function toInvite(row: Awaited<ReturnType<ReturnType<typeof invites>['execute']>>[number], now: Date): AdminInvite {
  return {
    _id: row.id,
    email: row.email,
    role: row.role,
    state: inviteState(row, now),
    invitedBy: row.invited_by_name,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    acceptedAt: row.accepted_at?.getTime() ?? null,
    organization: { _id: row.organization_id, name: row.organization_name },
  }
}
