// SQL of invitations.
import type { Selectable } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { InvitesTable } from '#server/platform/db/tables/accounts.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { INVITES_SHOWN, type Invite } from '#shared/organizations/members.ts'
import type { GrantedRole } from '#shared/organizations/policy.ts'
import { inviteState } from './invites.rules.ts'

type NewInvite = {
  email: string
  role: GrantedRole
  hash: string
  invitedBy: Id<'users'>
  now: Date
  expiresAt: Date
}

/** Adds an invitation. @returns its id; undefined when one is open for the address */
export async function insertInvite(ctx: OrgStoreContext, invite: NewInvite): Promise<Id<'invites'> | undefined> {
  const row = await ctx.db
    .insertInto('invites')
    .values({
      id: newId('invites'),
      organization_id: ctx.organizationId,
      email: invite.email,
      role: invite.role,
      token_hash: invite.hash,
      invited_by: invite.invitedBy,
      created_at: invite.now,
      sent_at: invite.now,
      expires_at: invite.expiresAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'email'])
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Ends open invitations for an address whose link does not work any more, to make room for a new one. */
export async function closeExpired(ctx: OrgStoreContext, email: string, now: Date): Promise<void> {
  await ctx.db
    .updateTable('invites')
    .set({ revoked_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute()
}

/** Letters of invitations since a moment. */
export async function countSentSince(ctx: OrgStoreContext, since: Date): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('invites')
    .where('organization_id', '=', ctx.organizationId)
    .where('sent_at', '>', since)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Open invitations whose links still work. */
export async function countOpen(ctx: OrgStoreContext, now: Date): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('invites')
    .where('organization_id', '=', ctx.organizationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The newest invitations of the organization. */
export async function listInvites(ctx: OrgStoreContext, now: Date): Promise<Invite[]> {
  const rows = await ctx.db
    .selectFrom('invites')
    .leftJoin('users', 'users.id', 'invites.invited_by')
    .where('invites.organization_id', '=', ctx.organizationId)
    .selectAll('invites')
    .select('users.name as invited_by_name')
    .orderBy('invites.created_at', 'desc')
    .orderBy('invites.id', 'desc')
    .limit(INVITES_SHOWN)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    email: row.email,
    role: row.role,
    state: inviteState(row, now),
    invitedBy: row.invited_by_name,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    acceptedAt: row.accepted_at?.getTime() ?? null,
  }))
}

/** An invitation of the organization, locked until the transaction ends. */
export function lockInvite(ctx: OrgStoreContext, id: Id<'invites'>): Promise<Selectable<InvitesTable> | undefined> {
  return ctx.db
    .selectFrom('invites')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

/** Gives an invitation another link; the one before stops working. */
export async function renewInvite(
  ctx: OrgStoreContext,
  id: Id<'invites'>,
  { hash, now, expiresAt }: Pick<NewInvite, 'hash' | 'now' | 'expiresAt'>,
): Promise<void> {
  await ctx.db
    .updateTable('invites')
    .set({ token_hash: hash, sent_at: now, expires_at: expiresAt })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Ends an open invitation. */
export async function revokeInvite(ctx: OrgStoreContext, id: Id<'invites'>, now: Date): Promise<void> {
  await ctx.db
    .updateTable('invites')
    .set({ revoked_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** The invitation of a link with whom and what it is about; undefined: no such link. */
export function findByToken(ctx: StoreContext, hash: string) {
  return ctx.db
    .selectFrom('invites')
    .innerJoin('organizations', 'organizations.id', 'invites.organization_id')
    .leftJoin('users as inviter', 'inviter.id', 'invites.invited_by')
    .where('invites.token_hash', '=', hash)
    .selectAll('invites')
    .select(['organizations.name as organization_name', 'inviter.name as inviter_name'])
    .executeTakeFirst()
}

/** Whether an account has an address. */
export async function hasAccount(ctx: StoreContext, email: string): Promise<boolean> {
  const row = await ctx.db.selectFrom('users').where('email', '=', email).select('id').executeTakeFirst()
  return row !== undefined
}

/** The language that the owner of an address reads, if they have an account, else that of who invites; empty: the browser's. */
export async function findLanguage(ctx: StoreContext, email: string, inviter: Id<'users'>): Promise<'' | 'ru' | 'en'> {
  const people = ctx.db.selectFrom('users').where((eb) => eb.or([eb('email', '=', email), eb('id', '=', inviter)]))
  const rows = await people.select(['email', 'language']).execute()
  const [first] = rows.toSorted((a, b) => Number(b.email === email) - Number(a.email === email))
  return first?.language ?? ''
}

/** Whether a member of the organization has an address. */
export async function isMemberEmail(ctx: OrgStoreContext, email: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', ctx.organizationId)
    .where('users.email', '=', email)
    .select('users.id')
    .executeTakeFirst()
  return row !== undefined
}

/** Notes who has accepted. @returns false when it was accepted or revoked meanwhile */
export async function acceptInvite(
  ctx: StoreContext,
  id: Id<'invites'>,
  { userId, now }: { userId: Id<'users'>; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('invites')
    .set({ accepted_at: now, accepted_by: userId })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether an address may sign up because an organization has invited it. */
export async function hasOpenInvite(ctx: StoreContext, email: string, now: Date): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('invites')
    .where('email', '=', email.trim().toLowerCase())
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
