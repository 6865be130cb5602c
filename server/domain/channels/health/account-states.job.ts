// Checks every account that is a phone once a minute: the provider's own notification of a change can be missed.
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { credentialsOf } from '../connections/access.ts'
import { type StoredConnection, setConnectionError } from '../connections/connections.store.ts'
import { listLinkedAccounts, setAccountState } from './account-states.store.ts'
import { noteProblem } from './problems.store.ts'

type CheckContext = { database: Database; channels: Channels; secrets: Secrets }

/** Accounts that are checked concurrently. */
const AT_ONCE = 10

/** Every minute. */
export const checkAccounts = defineJob<object, CheckContext>({
  name: 'check-linked-accounts',
  limitSeconds: 55,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  async run(ctx, _, signal) {
    const waiting = await ctx.database.system('channels: linked accounts', (db) => listLinkedAccounts({ db }), {
      readOnly: true,
    })
    const failures = await runAtOnce(waiting, { atOnce: AT_ONCE, signal, run: (each) => checkAccount(ctx, each) })
    if (failures.length > 0) throw new AggregateError(failures, 'some accounts were not looked at')
  },
})

/** Asks for the state of one account and records it; an error shows on the connection. */
async function checkAccount(ctx: CheckContext, connection: StoredConnection): Promise<void> {
  const { account } = ctx.channels[connection.channel]
  if (!account) return
  const { id, organizationId } = connection
  const askedAt = new Date()
  try {
    const described = await account.describe(credentialsOf(ctx.secrets, connection))
    await ctx.database.organization(organizationId, (db) =>
      setAccountState({ db, organizationId }, id, { ...described, askedAt }),
    )
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    await ctx.database.organization(organizationId, (db) =>
      error.kind === 'unauthorized'
        ? setConnectionError({ db, organizationId }, id, error.message, askedAt, connection.encryptedToken)
        : noteProblem({ db, organizationId }, id, error.message),
    )
  }
}
