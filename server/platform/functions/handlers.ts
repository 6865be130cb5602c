// How the product runs the handlers of its public functions: with the context that guard and kind promise.
import type { JSONValue } from 'convex/values'
import type { Db } from '#server/platform/db/database.ts'
import type { Access } from './access.ts'
import type { Journal } from './paginate.ts'
import type { PublicFunction } from './registry.ts'

/** A call that has passed the guard, with checked arguments. `address`: the client's; null where it is unknown. */
export type Admitted = { definition: PublicFunction; access: Access; args: unknown; address: string | null }

/** Each gives the result of the handler as it goes over the wire. */
export interface Handlers {
  /** In a transaction of the call's scope. `journal`: where a live result is kept current page by page. */
  query(call: Admitted, db: Db, journal?: Journal): Promise<JSONValue>
  /** In a transaction of the call's scope. `now`: the same on every repetition. */
  mutation(call: Admitted, db: Db, now: Date): Promise<JSONValue>
  action(call: Admitted, signal: AbortSignal): Promise<JSONValue>
}
