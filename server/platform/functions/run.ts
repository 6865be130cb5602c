// Runs public functions: look up → who calls → guard → arguments → transaction → handler → outcome.
import { createHash } from 'node:crypto'
import type { JSONValue } from 'convex/values'
import type { Database } from '#server/platform/db/database.ts'
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import { waitForDatabase } from '#server/platform/db/engine/patience.ts'
import { onBehalfOf, partyOfOrganization, SIGN_IN } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Call, Claims, Host, Kind, MutationCall, MutationOutcome, Outcome } from '#server/platform/sync/host.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { assertOwnOrganization, authorize } from './access.ts'
import { canonicalArguments, parseArguments } from './arguments.ts'
import { unlessAway } from './away.ts'
import type { Caller } from './caller.ts'
import { type CallingSession, findCaller } from './callers.store.ts'
import type { Admitted } from './handlers.ts'
import { type LiveParts, viewerFor } from './live.ts'
import { findOutcome, insertOutcome, type RequestKey } from './mutation-log.store.ts'
import { failure } from './outcomes.ts'
import type { PublicFunction } from './registry.ts'

/** What a token itself tells. */
type Token = Omit<Claims, 'organizationId'>

/** Whom a token names; null for a token that is not valid. */
export type TokenVerifier = (token: string) => Promise<{
  userId: Id<'users'>
  sessionId: Id<'sessions'>
  namedOrganizationId: Id<'organizations'> | null
  expiresAt: number
} | null>

export type FunctionParts = LiveParts & {
  database: Database
  verifyToken: TokenVerifier
  /** Called when a person does something with a session. */
  onUse?: (sessionId: Id<'sessions'>) => void
}

/** Undoes a mutation whose outcome is stored already. */
export class AlreadyDone extends Error {}

/**
 * How long a mutation of a client session waits for a database that is away, milliseconds: it is done at most once, and a switch to another
 * server takes a few seconds.
 */
const MUTATION_PATIENCE_MS = 8000

const CALLER_READ = { isolation: 'read committed', readOnly: true } as const

/** What the realtime layer is handed. */
export function createFunctionHost(parts: FunctionParts): Host {
  const { database, handlers, logger, verifyToken } = parts

  async function settled(path: string, run: () => Promise<JSONValue>): Promise<Outcome> {
    try {
      return { ok: true, value: await run() }
    } catch (error) {
      return failure(error, path, logger)
    }
  }

  async function mutate(call: MutationCall, onCommitting: (xid: string) => void): Promise<MutationOutcome> {
    const run = async () => {
      const log = { key: requestKey(call), fingerprint: fingerprintOf(call), onCommitting }
      return runMutation(parts, await admit(parts, call, ['mutation']), call.path, log)
    }
    try {
      const { value, xid } = await waitForDatabase(run, MUTATION_PATIENCE_MS)
      return { outcome: { ok: true, value }, xid }
    } catch (error) {
      const mayStand = error instanceof AlreadyDone || error instanceof CommitUnknownError
      if (!mayStand) return { outcome: failure(error, call.path, logger), xid: null }
      const recorded = await findRecorded(parts, call)
      if (!recorded) throw error
      return recorded
    }
  }

  return {
    async authenticate(token, patienceMs = 0) {
      const claims = await verifyToken(token)
      if (!claims) return { refusal: 'The token is not valid' }
      // Not counted among anonymous clients, which may flood: the token is valid.
      const party = { group: SIGN_IN, member: claims.userId }
      const caller = await onBehalfOf(party, () => waitForDatabase(() => readCaller(parts, claims), patienceMs))
      return caller ? { ...claims, organizationId: caller.organizationId } : { refusal: 'The session has ended' }
    },

    snapshot: (run, party) => database.snapshot(run, party),
    watch: (position) => database.watch(position),
    onCommit: (listener) => database.onCommit(listener),
    anonymous: viewerFor(parts, null),
    async viewer(snapshot, claims) {
      const read = await snapshot.read({ kind: 'none' }, (db) => findCaller({ db }, sessionOf(claims)))
      return { viewer: read.value ? viewerFor(parts, read.value) : null, dependencies: read.dependencies }
    },

    failureOf: (error, path) => failure(error, path, logger),

    call: (kinds, call, signal) =>
      settled(call.path, async () => {
        const admitted = await admit(parts, call, kinds)
        switch (admitted.definition.kind) {
          case 'query':
            return unlessAway(database, runQuery(parts, admitted))
          case 'mutation':
            return (await unlessAway(database, runMutation(parts, admitted, call.path))).value
          case 'action':
            return handlers.action(admitted, signal)
        }
      }),

    mutate: (call, onCommitting) => unlessAway(database, mutate(call, onCommitting)),

    recorded: (call) => findRecorded(parts, call),
  }
}

/** @throws AppError when the caller may not call the function with these arguments */
async function admit(parts: FunctionParts, call: Call, kinds: readonly Kind[]): Promise<Admitted> {
  const definition = findFunction(parts, call.path, kinds)
  const { claims } = call
  const isAnonymous = claims === null || definition.guard === 'public'
  const caller = isAnonymous ? null : await readCaller(parts, claims)
  const admitted = admitCaller(definition, caller, call)
  if (caller && definition.kind !== 'query' && !definition.isAutomatic) parts.onUse?.(caller.sessionId)
  return admitted
}

/** @throws AppError unknown_function, wrong_kind */
export function findFunction({ registry }: FunctionParts, name: string, kinds: readonly Kind[]): PublicFunction {
  const definition = registry.find(name)
  if (!definition) throw new AppError('unknown_function', { name })
  if (!kinds.includes(definition.kind)) throw new AppError('wrong_kind', { name, kind: definition.kind })
  return definition
}

/** @throws AppError when the caller may not call the function with these arguments */
export function admitCaller(
  definition: PublicFunction,
  caller: Caller | null,
  call: Pick<Call, 'args' | 'address'>,
): Admitted {
  const access = authorize(definition, caller)
  const args = parseArguments(definition, call.args)
  assertOwnOrganization(definition, access, args)
  return { definition, access, args, address: call.address }
}

/** Rights are read now, whatever the token's age. */
async function readCaller({ database }: FunctionParts, claims: Token): Promise<Caller | null> {
  const session = sessionOf(claims)
  return (await database.transaction({ kind: 'none' }, (db) => findCaller({ db }, session), CALLER_READ)) ?? null
}

/** The result of a query in a transaction of its own. */
export function runQuery({ database, handlers, searches }: FunctionParts, call: Admitted): Promise<JSONValue> {
  const run = () => database.transaction(call.access.scope, (db) => handlers.query(call, db), { readOnly: true })
  const { definition, access } = call
  if (!definition.isSearch || access.organizationId === null) return run()
  return searches.run(partyOfOrganization(access.organizationId), run)
}

type Log = { key: RequestKey; fingerprint: string; onCommitting: (xid: string) => void }

/** The result of a mutation in a transaction of its own; with a `log` it is recorded there. @throws AlreadyDone when it is recorded already */
export async function runMutation({ database, handlers }: FunctionParts, call: Admitted, path: string, log?: Log) {
  const { access, definition } = call
  const now = new Date()
  const transact = () =>
    database.transaction(access.scope, async (db) => {
      const value = await handlers.mutation(call, db, now)
      if (!log) return { value, xid: null }
      const xid = await insertOutcome({ db }, log.key, { fingerprint: log.fingerprint, value })
      if (xid === undefined) throw new AlreadyDone()
      log.onCommitting(xid)
      return { value, xid }
    })
  if (!definition.lockKey) return transact()
  const identity = { organizationId: access.organizationId, userId: access.caller?.userId ?? null }
  return database.withLock(`${path}:${definition.lockKey(identity, call.args as never)}`, transact)
}

/** The stored outcome of a request, if there is one. */
async function findRecorded({ database, logger }: FunctionParts, call: MutationCall): Promise<MutationOutcome | null> {
  const key = requestKey(call)
  const found = await database.transaction({ kind: 'none' }, (db) => findOutcome({ db }, key), CALLER_READ)
  if (!found) return null
  const isSame = found.fingerprint === fingerprintOf(call)
  if (!isSame) return { outcome: failure(new AppError('request_id_reused'), call.path, logger), xid: null }
  return { outcome: { ok: true, value: found.value }, xid: found.xid }
}

function requestKey({ claims, clientSession, requestId }: MutationCall): RequestKey {
  return { subject: claims?.userId ?? 'anonymous', clientSession, requestId }
}

/** The same request id with another call is a mistake, and not a repetition. */
function fingerprintOf({ path, args }: MutationCall): string {
  return createHash('sha256')
    .update(`${path}\n${canonicalArguments(args)}`)
    .digest('base64url')
}

/** Claims come from a verified token, which names ids of ours. */
function sessionOf({ userId, sessionId, namedOrganizationId }: Token): CallingSession {
  return {
    userId: userId as Id<'users'>,
    sessionId: sessionId as Id<'sessions'>,
    organizationId: namedOrganizationId as Id<'organizations'> | null,
  }
}
