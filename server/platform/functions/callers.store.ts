// Reads who is behind a session.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import type { Caller, SupportGrant } from './caller.ts'

/** `organizationId`: the organization that the call names; null: the one that the session works in. */
export type CallingSession = {
  userId: Id<'users'>
  sessionId: Id<'sessions'>
  organizationId: Id<'organizations'> | null
}

/**
 * The person of a session that has not ended; undefined when it has, or never was theirs. A person who does not belong to the organization
 * that the call names has none, unless their session was let into it; without a name it is the session's, or the one joined first.
 */
export async function findCaller(ctx: StoreContext, session: CallingSession): Promise<Caller | undefined> {
  const row = await ctx.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoinLateral(
      (from) => {
        const own = from
          .selectFrom('members')
          .where('members.user_id', '=', session.userId)
          .select(['members.organization_id', 'members.role as organization_role'])
          .orderBy(sql`members.organization_id = sessions.organization_id`, (order) => order.desc().nullsLast())
          .orderBy('members.created_at')
          .orderBy('members.organization_id')
          .limit(1)
        const named = session.organizationId
        return (named === null ? own : own.where('members.organization_id', '=', named)).as('membership')
      },
      (join) => join.onTrue(),
    )
    .select(['users.email', 'users.name', 'users.role', 'users.two_factor_enabled'])
    .select([
      'membership.organization_id',
      'membership.organization_role',
      'sessions.expires_at',
      'sessions.last_used_at',
    ])
    .where('sessions.id', '=', session.sessionId)
    .where('sessions.user_id', '=', session.userId)
    .where('users.locked_at', 'is', null)
    .executeTakeFirst()
  if (!row || row.expires_at.getTime() <= Date.now()) return undefined
  const { email, name, role } = row
  const support = row.organization_id === null && role === 'admin' ? await findSupport(ctx, session) : null
  const organizationId = support ? session.organizationId : row.organization_id
  const demands = organizationId && (await findDemands(ctx, organizationId))
  if (demands && isUnused(row.last_used_at, demands.sign_out_after_minutes)) return undefined
  const lacksTwoStep = (demands ? demands.requires_two_step : false) && !row.two_factor_enabled
  const suspended = (!support && demands && suspensionOf(demands)) || null
  const isKeptOut = lacksTwoStep || suspended !== null
  // Without an organization every function and every route that serves one refuses.
  const { userId, sessionId } = session
  const organizationRole = isKeptOut ? null : support ? roleOf(support) : row.organization_role
  const workplace = { organizationId: isKeptOut ? null : organizationId, organizationRole }
  return { userId, sessionId, email, name, role, ...workplace, lacksTwoStep, suspended, support }
}

/** Who made a token of an organization. */
export type Maker = { tokenId: Id<'apiTokens'>; userId: Id<'users'>; organizationId: Id<'organizations'> }

/**
 * The person who made a token, in its organization, with the rights that they have there now; undefined when they have left it or are locked.
 * The token stands in the place of a session.
 */
export async function findMaker(ctx: StoreContext, maker: Maker): Promise<Caller | undefined> {
  const { tokenId, userId, organizationId } = maker
  const row = await ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', '=', userId)
    .where('users.locked_at', 'is', null)
    .select(['users.email', 'users.name', 'users.role', 'users.two_factor_enabled'])
    .select('members.role as organization_role')
    .executeTakeFirst()
  const demands = row && (await findDemands(ctx, organizationId))
  if (!demands) return undefined
  const lacksTwoStep = demands.requires_two_step && !row.two_factor_enabled
  const suspended = suspensionOf(demands)
  const isKeptOut = lacksTwoStep || suspended !== null
  const { email, name, role, organization_role: organizationRole } = row
  const workplace = isKeptOut ? { organizationId: null, organizationRole: null } : { organizationId, organizationRole }
  const sessionId = `${tokenId}` as Id<'sessions'>
  return { userId, sessionId, email, name, role, ...workplace, lacksTwoStep, suspended, support: null }
}

/** By what the session acts on behalf of the organization that the call names; null: it does not. */
async function findSupport({ db }: StoreContext, session: CallingSession): Promise<SupportGrant | null> {
  if (session.organizationId === null) return null
  const row = await db
    .selectFrom('support_accesses')
    .where('session_id', '=', session.sessionId)
    .where('user_id', '=', session.userId)
    .where('organization_id', '=', session.organizationId)
    .where('ended_at', 'is', null)
    .select(['id', 'may_write', 'reason', 'ends_at'])
    .executeTakeFirst()
  if (!row || row.ends_at.getTime() <= Date.now()) return null
  return { accessId: row.id, mayWrite: row.may_write, reason: row.reason }
}

/** Who only reads sees what every member sees; who changes things is an administrator of the organization, and not its owner. */
function roleOf({ mayWrite }: SupportGrant): OrganizationRole {
  return mayWrite ? 'admin' : 'analyst'
}

/** Read by its key, so that the caller is read again for changes of their own organization only. */
async function findDemands({ db }: StoreContext, id: Id<'organizations'>) {
  return db
    .selectFrom('organizations')
    .where('id', '=', id)
    .select(['id', 'name', 'requires_two_step', 'sign_out_after_minutes', 'suspended_at', 'suspended_reason'])
    .executeTakeFirst()
}

function suspensionOf(demands: NonNullable<Awaited<ReturnType<typeof findDemands>>>): Caller['suspended'] {
  const { id: organizationId, name: organization, suspended_at: since, suspended_reason: reason } = demands
  return since && { organizationId, organization, reason: reason ?? '' }
}

function isUnused(lastUsedAt: Date, afterMinutes: number | null): boolean {
  return afterMinutes !== null && Date.now() - lastUsedAt.getTime() > afterMinutes * 60_000
}
