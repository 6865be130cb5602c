// How the product runs the handlers of its public functions: with the context that guard and kind promise.
import type { JSONValue } from 'convex/values'
import type { Db } from '#server/platform/db/database.ts'
import type { Access } from './access.ts'
import type { FunctionDefinition } from './define.ts'
import type { Journal } from './paginate.ts'

/** A call that has passed the guard, with checked arguments. */
export type Admitted = { definition: FunctionDefinition; access: Access; args: unknown }

/** Each gives the result of the handler as it goes over the wire. */
export interface Handlers {
  /** In a transaction of the call's scope. `journal`: where a live result is kept current page by page. */
  query(call: Admitted, db: Db, journal?: Journal): Promise<JSONValue>
  /** In a transaction of the call's scope. `now`: the same on every repetition. */
  mutation(call: Admitted, db: Db, now: Date): Promise<JSONValue>
  action(call: Admitted, signal: AbortSignal): Promise<JSONValue>
}
