// What happens around accounts: who becomes platform admin, and what leaves with a deleted account.
import { APIError } from 'better-auth/api'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import type { Logger } from '#server/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import { decideOnce, hasAdmin, setRole } from './installation.store.ts'
import { countOtherMembers, findOwnedOrganization, removeOrganization } from './people.store.ts'

type Account = { id: string; email: string; emailVerified: boolean }
type PeopleConfig = Pick<Config, 'adminEmails' | 'mail'>

/**
 * Makes an account admin when it should be one: those of ADMIN_EMAILS (once the address is proven, where mail can be sent),
 * otherwise the first account of the installation. Two first accounts at the same time give one admin.
 */
export async function promote(database: Database, config: PeopleConfig, log: Logger, account: Account): Promise<void> {
  const userId = account.id as Id<'users'>
  if (config.adminEmails.length > 0) {
    const isProven = account.emailVerified || !config.mail.smtpUrl
    if (!isProven || !config.adminEmails.includes(account.email.toLowerCase())) return
    await setRole(database.root, userId, 'admin')
    log.info({ email: account.email }, 'account is platform admin, as ADMIN_EMAILS says')
    return
  }
  if (await hasAdmin(database.root)) return
  const { isNew } = await decideOnce(database.root, 'first-admin', account.id)
  if (!isNew) return
  await setRole(database.root, userId, 'admin')
  log.info({ email: account.email }, 'the first account of this installation is platform admin')
}

/**
 * Removes what only a leaving owner had.
 * @throws APIError when other people still work in the organization
 */
export async function prepareDeletion(database: Database, account: Account): Promise<void> {
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
    await removeOrganization(db, organizationId)
  })
}
