// Calls the handler of a function with the context that its guard and kind promise, and nothing more.
import { convexToJson, type JSONValue, type Value } from 'convex/values'
import type { Db } from '#server/platform/db/database.ts'
import type { Access } from '#server/platform/functions/access.ts'
import type { Admitted, Handlers } from '#server/platform/functions/handlers.ts'
import type { Journal } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { OrgMutationContext, OrgQueryContext, Transactions, WriteOptions } from './context.ts'
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
    case 'admin':
      return handle(call, live)
    case 'user':
      return handle(call, { ...live, caller })
    case 'org':
      return handle(call, { ...live, organizationId, models: services.llm, retrieval: services.retrieval })
  }
}

/** The result of a mutation in a transaction of the call's scope. */
function callMutation(services: Services, call: Admitted, db: Db, now: Date): Promise<JSONValue> {
  const { caller, organizationId } = call.access
  const writes = { db, now, jobs: services.jobs }
  switch (call.definition.guard) {
    case 'public':
      return handle(call, writes)
    case 'admin':
      return handle(call, { ...writes, caller })
    case 'user':
      return handle(call, { ...writes, caller, secrets: services.secrets })
    case 'org':
      return handle(call, { ...writes, caller, organizationId, models: services.llm, secrets: services.secrets })
  }
}

/** The result of an action. */
function callAction(services: Services, call: Admitted, signal: AbortSignal): Promise<JSONValue> {
  const { caller, organizationId } = call.access
  const acts = { services, now: new Date(), signal }
  switch (call.definition.guard) {
    case 'public':
      return handle(call, acts)
    case 'user':
    case 'admin':
      return handle(call, { ...acts, caller, ...transactions(services, call.access) })
    case 'org':
      return handle(call, { ...acts, caller, organizationId, ...transactions(services, call.access) })
  }
}

/** The definitions have checked, type by type, that handler, context and arguments belong together. */
async function handle({ definition, args }: Admitted, ctx: object): Promise<JSONValue> {
  const result = await definition.handler(ctx as never, args as never)
  return convexToJson(result === undefined ? null : (result as Value))
}

function transactions({ database, llm, retrieval, jobs, secrets }: Services, { caller }: Access): Transactions {
  const member = () => {
    if (!caller?.organizationId) throw new AppError('organization_required')
    return { caller, organizationId: caller.organizationId }
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
      const inTransaction = (db: Db) => run({ db, now, jobs, organizationId, caller, models: llm, secrets })
      return database.organization(organizationId, inTransaction, options)
    },
  }
}
