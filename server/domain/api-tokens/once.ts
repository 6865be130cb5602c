// Executes a request with an idempotency key once: its answer is stored by the transaction that executes it.
import { createHash } from 'node:crypto'
import type { Services } from '#server/functions/services.ts'
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import type { JobSender } from '#server/platform/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { type ApiAnswer, findRequest, insertRequest } from './requests.store.ts'

export type ApiWrite = OrgStoreContext & { jobs: JobSender<Db>; now: Date }
/** Identity of a request. `fingerprint`: hash of its content; `key` null: no idempotency key. */
export type RequestName = { key: string | null; fingerprint: string }
type Answered = ApiAnswer & { isReplay: boolean }

const KEY = /^[\x21-\x7e]{1,255}$/

/** @throws AppError invalid_arguments for a malformed Idempotency-Key */
export function keyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key')
  if (key !== null && !KEY.test(key)) throw new AppError('invalid_arguments', { path: 'Idempotency-Key' })
  return key
}

/** Hash of a request's content. `content`: its body, or something that identifies it. */
export function fingerprintOf(request: Request, content: string): string {
  const { pathname, search } = new URL(request.url)
  return createHash('sha256').update(`${request.method} ${pathname}${search}\n${content}`).digest('base64url')
}

/**
 * Executes a request in one transaction, or repeats its stored answer.
 *
 * @throws AppError idempotency_key_reused when its key was used for another request
 * @throws CommitUnknownError when it is unknown whether it was executed
 */
export async function carryOutOnce(
  { database, jobs }: Pick<Services, 'database' | 'jobs'>,
  organizationId: Id<'organizations'>,
  { key, fingerprint }: RequestName,
  run: (ctx: ApiWrite) => Promise<ApiAnswer>,
): Promise<Answered> {
  const now = new Date()
  const carryOut = () =>
    database.organization(organizationId, async (db): Promise<Answered> => {
      const ctx = { db, organizationId, jobs, now }
      const before = key === null ? null : await findAnswer(ctx, { key, fingerprint })
      if (before) return { ...before, isReplay: true }
      const answer = await run(ctx)
      if (key !== null) await insertRequest(ctx, key, { fingerprint, answer })
      return { ...answer, isReplay: false }
    })
  return key === null ? carryOut() : database.withLock(`api ${organizationId} ${key}`, carryOut)
}

/** The stored answer of a request; null when it was not executed. @throws AppError idempotency_key_reused */
export async function findAnswer(ctx: OrgStoreContext, { key, fingerprint }: RequestName): Promise<ApiAnswer | null> {
  const before = key === null ? undefined : await findRequest(ctx, key)
  if (before && before.fingerprint !== fingerprint) throw new AppError('idempotency_key_reused')
  return before?.answer ?? null
}
