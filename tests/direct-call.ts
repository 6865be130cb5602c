// Calls a mutation of the public contract without a socket: its arguments are checked, and its audit entry is written, as in a call.
import type { JSONValue } from 'convex/values'
import { modules } from '#server/api.ts'
import type { Services } from '#server/functions/services.ts'
import { Auditor } from '#server/platform/audit/auditor.ts'
import { parseArguments } from '#server/platform/functions/arguments.ts'
import { createRegistry, type PublicFunction } from '#server/platform/functions/registry.ts'
import type { Id } from '#shared/ids.ts'

const FUNCTIONS = createRegistry(modules, () => ({ allows: () => true, concerns: 'organization' })).all()

type Caller = { userId: Id<'users'> | null; organizationId: Id<'organizations'> }

/** Runs the mutation in one transaction, as an owner of the caller's organization. The trail names the system as the actor. */
export async function callDirectly(
  { database, jobs, secrets, llm: models }: Services,
  { userId, organizationId }: Caller,
  mutation: unknown,
  args: JSONValue,
): Promise<unknown> {
  const definition = registered(mutation)
  const { name, isAudited } = definition
  const run = definition.handler as (ctx: unknown, args: unknown) => Promise<unknown>
  const parsed = parseArguments(definition, args)
  const auditor = new Auditor({ name, isAudited, actor: null, organizationId, address: null, onBehalf: null })
  const caller = { userId, organizationId, organizationRole: 'owner' }
  const now = new Date()
  return database.organization(organizationId, async (db) => {
    const call = await auditor.attempt({ db }, now, (audit) =>
      run({ db, organizationId, caller, now, audit, jobs, secrets, models }, parsed),
    )
    return call.value
  })
}

function registered(mutation: unknown): PublicFunction {
  const found = FUNCTIONS.find(([, { handler }]) => handler === (mutation as PublicFunction).handler)
  if (!found) throw new Error('The function is not registered')
  return found[1]
}
