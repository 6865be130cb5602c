// SQL that reads all people of the installation, for its administrators.
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { StoreContext } from '#server/platform/db/database.ts'
import { type Journal, type Page, paginate } from '#server/platform/functions/paginate.ts'
import { containing } from '#server/platform/lib/text/search-pattern.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { AdminPerson, PeopleFilters } from '#shared/organizations/admin.ts'
import type { PaginationOpts } from '#shared/schema.ts'

const BY_NAME = {
  by: [
    ['users.name', 'text'],
    ['users.id', 'text'],
  ],
  direction: 'asc',
} as const

/** A page of people, by name. */
export function listPeople(
  ctx: StoreContext & { journal?: Journal },
  filters: PeopleFilters,
  opts: PaginationOpts,
): Promise<Page<AdminPerson>> {
  return paginate(ctx, found(ctx, filters), opts, BY_NAME, toPerson)
}

/** The first people by name, no more than `count`. */
export async function listFirst(ctx: StoreContext, filters: PeopleFilters, count: number): Promise<AdminPerson[]> {
  const rows = await found(ctx, filters).orderBy('users.name').orderBy('users.id').limit(count).execute()
  return rows.map(toPerson)
}

/** One person. @throws AppError not_found */
export async function getPerson(ctx: StoreContext, id: Id<'users'>): Promise<AdminPerson> {
  const row = await people(ctx).where('users.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toPerson(row)
}

function found(ctx: StoreContext, { search = '', role }: PeopleFilters) {
  const pattern = containing(search)
  let query = people(ctx)
  if (role !== undefined) query = query.where('users.role', '=', role)
  if (pattern === null) return query
  return query.where(({ eb, or, selectFrom }) => {
    const places = selectFrom('members')
      .innerJoin('organizations', 'organizations.id', 'members.organization_id')
      .where('organizations.searched', 'like', pattern)
    return or([eb('users.searched', 'like', pattern), eb('users.id', 'in', places.select('members.user_id'))])
  })
}

function people({ db }: StoreContext) {
  return db
    .selectFrom('users')
    .select(['users.id', 'users.name', 'users.email', 'users.image', 'users.role', 'users.two_factor_enabled'])
    .select(['users.locked_at', 'users.locked_reason', 'users.created_at'])
    .select(({ selectFrom, fn }) => [
      jsonArrayFrom(
        selectFrom('members')
          .innerJoin('organizations', 'organizations.id', 'members.organization_id')
          .whereRef('members.user_id', '=', 'users.id')
          .select(['organizations.id as _id', 'organizations.name', 'members.role'])
          .orderBy('organizations.name')
          .orderBy('organizations.id'),
      ).as('organizations'),
      selectFrom('sessions')
        .whereRef('sessions.user_id', '=', 'users.id')
        .where('sessions.expires_at', '>', sql<Date>`now()`)
        .select(fn.countAll<number>().as('count'))
        .$asScalar()
        .as('sessions'),
      selectFrom('sessions')
        .whereRef('sessions.user_id', '=', 'users.id')
        .select((own) => own.fn.max('sessions.last_used_at').as('at'))
        .$asScalar()
        .as('last_used_at'),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof people>['execute']>>[number]

function toPerson(row: Row): AdminPerson {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    avatar: row.image || null,
    role: row.role,
    organizations: row.organizations,
    hasTwoStep: row.two_factor_enabled,
    sessions: Number(row.sessions),
    lastActiveAt: row.last_used_at?.getTime() ?? null,
    lockedAt: row.locked_at?.getTime() ?? null,
    lockedReason: row.locked_reason,
    createdAt: row.created_at.getTime(),
  }
}
