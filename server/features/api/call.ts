// One request of the HTTP API: whose it is, and that it is carried out once. Which requests there are is in *.api.ts.
import { createHash } from 'node:crypto'
import type { Db, OrgStoreContext } from '#server/db/database.ts'
import type { Services } from '#server/functions/services.ts'
import type { JobSender } from '#server/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { API_REQUESTS_PER_MINUTE } from '#shared/limits.ts'
import { type ApiAnswer, findRequest, insertRequest } from './requests.store.ts'
import { hashOf, tokenOf } from './tokens.rules.ts'
import { useToken } from './tokens.store.ts'

export type ApiServices = Pick<Services, 'database' | 'files' | 'jobs'>
export type ApiWrite = OrgStoreContext & { jobs: JobSender<Db>; now: Date }

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
const KEY = /^[\x21-\x7e]{1,255}$/

/** @throws AppError unauthenticated, rate_limited with `retryAfterMs`, invalid_arguments for a malformed Idempotency-Key */
export async function openCall({ database, jobs }: ApiServices, request: Request): Promise<ApiCall> {
  const organizationId = await admit(database, request, new Date())
  const key = keyOf(request)
  return {
    organizationId,
    read: (run) => database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly: true }),
    write(content, run) {
      const now = new Date()
      const fingerprint = fingerprintOf(request, content)
      const carryOut = () =>
        database.organization(organizationId, async (db) => {
          const ctx = { db, organizationId, jobs, now }
          return key === null ? { ...(await run(ctx)), isReplay: false } : once(ctx, { key, fingerprint }, run)
        })
      return key === null ? carryOut() : database.withLock(`api ${organizationId} ${key}`, carryOut)
    },
  }
}

async function admit(database: Services['database'], request: Request, now: Date): Promise<Id<'organizations'>> {
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
  return use.organizationId
}

/** Nobody else has the key meanwhile: the caller holds its lock. */
async function once(
  ctx: ApiWrite,
  { key, fingerprint }: { key: string; fingerprint: string },
  run: (ctx: ApiWrite) => Promise<ApiAnswer>,
): Promise<ApiAnswer & { isReplay: boolean }> {
  const before = await findRequest(ctx, key)
  if (before && before.fingerprint !== fingerprint) throw new AppError('idempotency_key_reused')
  if (before) return { ...before.answer, isReplay: true }
  const answer = await run(ctx)
  await insertRequest(ctx, key, { fingerprint, answer })
  return { ...answer, isReplay: false }
}

function keyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key')
  if (key !== null && !KEY.test(key)) throw new AppError('invalid_arguments', { path: 'Idempotency-Key' })
  return key
}

function fingerprintOf(request: Request, content: string): string {
  const { pathname, search } = new URL(request.url)
  return createHash('sha256').update(`${request.method} ${pathname}${search}\n${content}`).digest('base64url')
}
