// Who sends a plain HTTP request.
import type { Id } from '#shared/ids.ts'
import { recordUpload } from './domain/support/uploads.ts'
import type { Services } from './functions/services.ts'
import type { Auth } from './platform/auth/auth.ts'
import type { Database } from './platform/db/database.ts'
import type { Caller } from './platform/functions/caller.ts'
import { type CallingSession, findCaller } from './platform/functions/callers.store.ts'

/** Called with a session that was used for more than reading. */
export type OnUse = (id: Id<'sessions'>) => void

type Known = { auth: Auth; services: Services; onUse: OnUse }

/** Who sends a plain HTTP request, with their current rights; null when anonymous. */
export async function findRequester({ auth, services, onUse }: Known, request: Request): Promise<Caller | null> {
  const identity = await auth.identify(request)
  if (!identity) return null
  const { namedOrganizationId: organizationId, ...session } = identity
  const caller = await findRequestingPerson(services.database, { ...session, organizationId })
  if (caller && request.method !== 'GET' && request.method !== 'HEAD') onUse(caller.sessionId)
  if (caller) await recordUpload(services.database, caller, request)
  return caller
}

/** The person of a session in the organization that it names, or theirs; null when they have no such rights any more. */
export async function findRequestingPerson(database: Database, session: CallingSession): Promise<Caller | null> {
  const options = { isolation: 'read committed', readOnly: true } as const
  return (await database.transaction({ kind: 'none' }, (db) => findCaller({ db }, session), options)) ?? null
}
