// Account lifecycle: who becomes platform admin, and what is deleted with an account.
import { APIError } from 'better-auth/api'
import type { Config } from '#server/config.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import { decideOnce, hasAccounts, hasAdmin, makeAdmins, setRole } from './installation.store.ts'
import { countOtherMembers, findOwnedOrganization } from './people.store.ts'

type Account = { id: string; email: string; emailVerified: boolean }
/**
 * Deletes an organization, and what it has outside the database after the commit.
 * @returns false, having deleted nothing, when customers of it are on legal hold
 */
export type RemoveOrganization = (db: Db, organizationId: Id<'organizations'>) => Promise<boolean>
type PeopleConfig = Pick<Config, 'adminEmails' | 'mail'>

/** `isFirst`: no account exists yet. `makesAdmin`: the new account becomes admin, because ADMIN_EMAILS is empty. */
export async function firstAccount(
  database: Database,
  config: Pick<Config, 'adminEmails'>,
): Promise<{ isFirst: boolean; makesAdmin: boolean }> {
  const isFirst = !(await hasAccounts(database.root))
  return { isFirst, makesAdmin: isFirst && config.adminEmails.length === 0 }
}

/** Whether a new account can be made: the first one always. */
export async function isSignUpOpen(database: Database, config: Pick<Config, 'isSignUpOpen'>): Promise<boolean> {
  return config.isSignUpOpen || !(await hasAccounts(database.root))
}

/** @throws APIError SIGN_UP_CLOSED */
export async function demandOpenSignUp(database: Database, config: Pick<Config, 'isSignUpOpen'>): Promise<void> {
  if (await isSignUpOpen(database, config)) return
  throw new APIError('FORBIDDEN', { code: 'SIGN_UP_CLOSED', message: 'Sign-up is closed: ask the administrator' })
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
  const needsProof = mail.smtpUrl !== undefined
  const listed = { emails: adminEmails, needsProof, userId: userId as Id<'users'> | undefined }
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
 * Removes what only the leaving owner had.
 * @throws APIError when other people still work in the organization, or a customer of it is on legal hold
 */
export async function prepareDeletion(
  database: Database,
  account: Account,
  removeOrganization: RemoveOrganization,
): Promise<void> {
  const userId = account.id as Id<'users'>
  await database.system('sign-in: delete account', async (db) => {
    const organizationId = await findOwnedOrganization(db, userId)
    if (!organizationId) return
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
  })
}
