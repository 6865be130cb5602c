// Account lifecycle: who becomes platform admin, and what is deleted with an account.
import { APIError } from 'better-auth/api'
import type { Config } from '#server/config.ts'
import { recordOwnAct } from '#server/platform/audit/own-acts.store.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import { decideOnce, hasAccounts, hasAdmin, makeAdmins, setRole } from './installation.store.ts'
import { countOtherMembers, findLock, findOwnedOrganization } from './people.store.ts'

type Account = { id: string; email: string; emailVerified: boolean }
/**
 * Deletes an organization, and what it has outside the database after the commit.
 * @returns false, having deleted nothing, when customers of it are on legal hold
 */
export type RemoveOrganization = (db: Db, organizationId: Id<'organizations'>) => Promise<boolean>
/** Takes a person out of every organization that they do not own; what they had in hand there goes back to the queue. */
export type LeaveOrganizations = (db: Db, userId: Id<'users'>) => Promise<void>
type PeopleConfig = Pick<Config, 'adminEmails' | 'mail'>

/** `isFirst`: no account exists yet. `makesAdmin`: the new account becomes admin, because ADMIN_EMAILS is empty. */
export async function firstAccount(
  database: Database,
  config: Pick<Config, 'adminEmails'>,
): Promise<{ isFirst: boolean; makesAdmin: boolean }> {
  const isFirst = !(await hasAccounts(database.root))
  return { isFirst, makesAdmin: isFirst && config.adminEmails.length === 0 }
}

/** Who may make an account now: as the settings say, and those who were invited alone where an administrator has closed sign-up. */
export async function signUpNow({
  config,
  isSignUpAllowed,
}: Pick<SignUpParts, 'config' | 'isSignUpAllowed'>): Promise<Config['signUp']> {
  const { signUp } = config
  if (signUp.rule === 'closed' || (await isSignUpAllowed())) return signUp
  return { rule: 'invited', domains: [] }
}

/** Whether a new account can be made: the first one always. */
export async function isSignUpOpen(database: Database, config: Pick<Config, 'signUp'>): Promise<boolean> {
  return config.signUp.rule !== 'closed' || !(await hasAccounts(database.root))
}

const REFUSALS = {
  closed: { code: 'SIGN_UP_CLOSED', message: 'Sign-up is closed: ask the administrator' },
  invited: { code: 'SIGN_UP_INVITED_ONLY', message: 'Sign-up is for those who were invited' },
  domains: { code: 'SIGN_UP_DOMAIN', message: 'Sign-up is for addresses of certain domains' },
} as const
export type SignUpParts = {
  database: Database
  config: Pick<Config, 'signUp'>
  /** Whether an invitation to this address is open. */
  hasOpenInvite(email: string): Promise<boolean>
  /** Whether administrators leave sign-up open. */
  isSignUpAllowed(): Promise<boolean>
}

/**
 * Whether an account may be made for an address. One that exists already is refused alike.
 * @throws APIError SIGN_UP_CLOSED, SIGN_UP_INVITED_ONLY or SIGN_UP_DOMAIN
 */
export async function demandOpenSignUp(parts: SignUpParts, email: string): Promise<void> {
  const signUp = await signUpNow(parts)
  if (signUp.rule === 'open' || !(await hasAccounts(parts.database.root))) return
  const domain = email.trim().toLowerCase().split('@').at(-1) ?? ''
  if (signUp.domains.includes(domain)) return
  if (signUp.rule !== 'closed' && (await parts.hasOpenInvite(email.trim().toLowerCase()))) return
  throw new APIError('FORBIDDEN', REFUSALS[signUp.rule])
}

/**
 * Runs before a session is created, by whichever way: only who has proved that the account is theirs is shown why it is locked.
 * @throws APIError ACCOUNT_LOCKED with the `reason`
 */
export async function demandUnlocked(database: Database, userId: string): Promise<void> {
  const lock = await findLock(database.root, userId as Id<'users'>)
  if (!lock) return
  throw new APIError('FORBIDDEN', { code: 'ACCOUNT_LOCKED', message: 'The account is locked', reason: lock.reason })
}

/** Whether an account opens once its address is confirmed: where addresses decide who may have one, and letters can be sent. */
export function needsProof({ signUp, mail }: Pick<Config, 'signUp' | 'mail'>): boolean {
  return signUp.rule !== 'open' && signUp.rule !== 'closed' && mail.smtpUrl !== undefined
}

/**
 * Makes a new account admin when it should be one: those of ADMIN_EMAILS (once the address is proven, where mail can be sent),
 * otherwise the first account of the installation. Two first accounts at the same time give one admin.
 */
export async function promoteNew(
  database: Database,
  config: PeopleConfig,
  log: Logger,
  account: Account,
): Promise<void> {
  if (config.adminEmails.length > 0) return promoteListed(database, config, log, account.id)
  if (await hasAdmin(database.root)) return
  const { isNew } = await decideOnce(database.root, 'first-admin', account.id)
  if (!isNew) return
  await setRole(database.root, account.id as Id<'users'>, 'admin')
  log.info({ email: account.email }, 'the first account of this installation is platform admin')
}

/** Promotes accounts in ADMIN_EMAILS that are not admins yet. @param userId of one account; all when omitted */
export async function promoteListed(
  database: Database,
  { adminEmails, mail }: PeopleConfig,
  log: Logger,
  userId?: string,
): Promise<void> {
  if (adminEmails.length === 0) return
  const listed = {
    emails: adminEmails,
    needsProof: mail.smtpUrl !== undefined,
    userId: userId as Id<'users'> | undefined,
  }
  for (const email of await makeAdmins(database.root, listed)) {
    log.info({ email }, 'account is platform admin, as ADMIN_EMAILS says')
  }
}

/** Warns when accounts exist and none of them is platform admin: only ADMIN_EMAILS can name one then. */
export async function warnWithoutAdmin(database: Database, log: Logger): Promise<void> {
  if ((await hasAdmin(database.root)) || !(await hasAccounts(database.root))) return
  log.warn('no account is platform admin: name one in ADMIN_EMAILS and start again')
}

/**
 * Removes what only the leaving owner had, and takes the person out of the organizations of others.
 * @throws APIError when other people still work in the organization, or a customer of it is on legal hold
 */
export async function prepareDeletion(
  database: Database,
  account: Account,
  {
    leaveOrganizations,
    removeOrganization,
    address,
  }: { leaveOrganizations: LeaveOrganizations; removeOrganization: RemoveOrganization; address: string },
): Promise<void> {
  const userId = account.id as Id<'users'>
  await database.system('sign-in: delete account', async (db) => {
    await recordOwnAct(db, { userId, sessionId: null, action: 'account:delete', address })
    const organizationId = await findOwnedOrganization(db, userId)
    if (!organizationId) return leaveOrganizations(db, userId)
    if ((await countOtherMembers(db, organizationId, userId)) > 0) {
      throw new APIError('BAD_REQUEST', {
        code: 'ORGANIZATION_HAS_MEMBERS',
        message: 'Hand the organization over before you delete your account',
      })
    }
    if (!(await removeOrganization(db, organizationId))) {
      throw new APIError('BAD_REQUEST', {
        code: 'ORGANIZATION_ON_LEGAL_HOLD',
        message: 'Lift the legal holds on customers before you delete your account',
      })
    }
    await leaveOrganizations(db, userId)
  })
}
