// One request of the HTTP API: whose it is, and what it may do. Which requests there are is in *.api.ts.

import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { API_REQUESTS_PER_MINUTE } from '#shared/limits.ts'
import type { ApiScope } from '#shared/organizations/policy.ts'
import { type ApiWrite, carryOutOnce, fingerprintOf, keyOf } from './once.ts'
import type { ApiAnswer } from './requests.store.ts'
import { hashOf, tokenOf } from './tokens.rules.ts'
import { type TokenUse, useToken } from './tokens.store.ts'

export type ApiServices = Pick<Services, 'database' | 'files' | 'jobs'>

/** A request whose token was accepted. */
export interface ApiCall {
  organizationId: Id<'organizations'>
  read<T>(run: (ctx: OrgStoreContext) => Promise<T>): Promise<T>
  /**
   * Carries a request out in one transaction, or gives the answer again that it has had. `content`: what was sent, or a hash of it.
   *
   * @throws AppError idempotency_key_reused when its key was used for another request
   */
  write(content: string, run: (ctx: ApiWrite) => Promise<ApiAnswer>): Promise<ApiAnswer & { isReplay: boolean }>
}

const MINUTE_MS = 60_000

/** @throws AppError unauthenticated, scope_required, rate_limited with `retryAfterMs`, invalid_arguments for a malformed Idempotency-Key */
export async function openCall(services: ApiServices, request: Request): Promise<ApiCall> {
  const { database } = services
  const { organizationId, scopes } = await admitToken(database, request, new Date())
  const scope = scopeOf(request)
  if (!scopes.includes(scope)) throw new AppError('scope_required', { scope })
  const key = keyOf(request)
  return {
    organizationId,
    read: (run) => database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly: true }),
    write: (content, run) =>
      carryOutOnce(services, organizationId, { key, fingerprint: fingerprintOf(request, content) }, run),
  }
}

/** The token of a request, which counts it. @throws AppError unauthenticated, rate_limited with `retryAfterMs` */
export async function admitToken(database: Services['database'], request: Request, now: Date): Promise<TokenUse> {
  const token = tokenOf(request)
  if (token === null) throw new AppError('unauthenticated')
  const use = await database.system(
    'api: whose token',
    (db) => useToken({ db }, hashOf(token), { now, windowMs: MINUTE_MS }),
    { isolation: 'read committed' },
  )
  if (!use) throw new AppError('unauthenticated')
  if (use.requests > API_REQUESTS_PER_MINUTE) {
    throw new AppError('rate_limited', { retryAfterMs: use.windowStartedAt.getTime() + MINUTE_MS - now.getTime() })
  }
  return use
}

/** What a request asks of its token: one that changes something has another method than GET. */
function scopeOf({ method }: Request): ApiScope {
  return method === 'GET' || method === 'HEAD' ? 'knowledge.read' : 'knowledge.write'
}
