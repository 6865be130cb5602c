// Calls the handler of a function with the context that its guard and kind promise, and nothing more.
import { convexToJson, type JSONValue, type Value } from 'convex/values'
import { Auditor } from '#server/platform/audit/auditor.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Access } from '#server/platform/functions/access.ts'
import type { Admitted, Handlers } from '#server/platform/functions/handlers.ts'
import type { Journal } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { OrgMutationContext, OrgQueryContext, SystemContext, Transactions, WriteOptions } from './context.ts'
import type { Services } from './services.ts'

/** The handlers of the product's functions, each called with what `services` have for its kind. */
export function createHandlers(services: Services): Handlers {
  return {
    query: (call, db, journal) => callQuery(services, call, db, journal),
    mutation: (call, db, now) => callMutation(services, call, db, now),
    action: (call, signal) => callAction(services, call, signal),
  }
}

/** The result of a query in a transaction of the call's scope. */
function callQuery(services: Services, call: Admitted, db: Db, journal?: Journal): Promise<JSONValue> {
  const { caller, organizationId } = call.access
  const live = { db, ...(journal && { journal }) }
  switch (call.definition.guard) {
    case 'public':
      return handle(call, live)
    case 'admin':
      return handle(call, { ...live, models: services.llm })
    case 'user':
      return handle(call, { ...live, caller })
    case 'org':
      return handle(call, { ...live, organizationId, models: services.llm, retrieval: services.retrieval })
  }
}

/** The result of a mutation in a transaction of the call's scope, with its entry in the audit trail. */
async function callMutation(services: Services, call: Admitted, db: Db, now: Date): Promise<JSONValue> {
  const auditor = auditorOf(call)
  const { value, keep } = await auditor.attempt({ db }, now, (audit) => mutate(services, call, { db, now, audit }))
  keep()
  auditor.assertComplete()
  await auditor.complete({ db }, now)
  return value
}

function mutate(
  services: Services,
  call: Admitted,
  attempt: Pick<OrgMutationContext, 'db' | 'now' | 'audit'>,
): Promise<JSONValue> {
  const { caller, organizationId } = call.access
  const { audit, ...rest } = attempt
  const writes = { ...rest, jobs: services.jobs }
  switch (call.definition.guard) {
    case 'public':
      return handle(call, writes)
    case 'admin':
      return handle(call, {
        ...{ ...writes, audit, caller, models: services.llm },
        ...{ secrets: services.secrets, installation: installationOf(services) },
      })
    case 'user':
      return handle(call, { ...writes, audit, caller, secrets: services.secrets })
    case 'org':
      return handle(call, {
        ...writes,
        ...{ audit, caller, organizationId, models: services.llm, secrets: services.secrets },
        installation: installationOf(services),
      })
  }
}

/** The result of an action. What it has written stays if its audit turns out incomplete: that is a mistake of ours, seen in a test. */
async function callAction(services: Services, call: Admitted, signal: AbortSignal): Promise<JSONValue> {
  const auditor = auditorOf(call)
  const value = await act(services, call, { signal, auditor })
  auditor.assertComplete()
  const { organizationId } = call.access
  if (auditor.owesEntry && organizationId) {
    await services.database.organization(organizationId, (db) => auditor.complete({ db }, new Date()))
  }
  return value
}

function act(
  services: Services,
  call: Admitted,
  { signal, auditor }: { signal: AbortSignal; auditor: Auditor },
): Promise<JSONValue> {
  const { caller, organizationId } = call.access
  const acts = { services, now: new Date(), signal }
  switch (call.definition.guard) {
    case 'public':
      return handle(call, acts)
    case 'user':
    case 'admin':
      return handle(call, { ...acts, caller, ...transactions(services, call.access, auditor) })
    case 'org':
      return handle(call, { ...acts, caller, organizationId, ...transactions(services, call.access, auditor) })
  }
}

function auditorOf({ definition, access, address }: Admitted): Auditor {
  const { name, isAudited } = definition
  const { caller, organizationId } = access
  const onBehalf = definition.concerns === 'account' ? null : (caller?.support?.reason ?? null)
  return new Auditor({ name, isAudited, actor: caller, organizationId, address, onBehalf })
}

/** The definitions have checked, type by type, that handler, context and arguments belong together. */
async function handle({ definition, args }: Admitted, ctx: object): Promise<JSONValue> {
  const result = await definition.handler(ctx as never, args as never)
  return convexToJson(result === undefined ? null : (result as Value))
}

function transactions(services: Services, { caller }: Access, auditor: Auditor): Transactions {
  const { database, llm, retrieval, jobs, secrets } = services
  const member = () => {
    if (!caller?.organizationId || !caller.organizationRole) throw new AppError('organization_required')
    const { organizationId, organizationRole } = caller
    return { caller: { ...caller, organizationRole }, organizationId }
  }
  return {
    async read<T>(run: (ctx: OrgQueryContext) => Promise<T>) {
      const { organizationId } = member()
      return database.organization(organizationId, (db) => run({ db, organizationId, models: llm, retrieval }), {
        readOnly: true,
      })
    },
    async write<T>(run: (ctx: OrgMutationContext) => Promise<T>, options?: WriteOptions) {
      const { organizationId, caller } = member()
      const now = new Date()
      const inTransaction = (db: Db) =>
        auditor.attempt({ db }, now, (audit) =>
          run({
            ...{ db, now, jobs, organizationId, caller, audit, models: llm, secrets },
            installation: installationOf(services),
          }),
        )
      const { value, keep } = await database.organization(organizationId, inTransaction, options)
      keep()
      return value
    },
    async system<T>(purpose: string, run: (ctx: SystemContext) => Promise<T>) {
      const now = new Date()
      const { value, keep } = await database.system(purpose, (db) =>
        auditor.attempt({ db }, now, (audit) => run({ db, now, jobs, audit })),
      )
      keep()
      return value
    },
  }
}

function installationOf({ publicUrl, mailer }: Services) {
  return { publicUrl, canSendMail: mailer.isConfigured }
}
