// Public functions for programs: with the rights of the person who made their token, at most once where the program names its request, and
// on trial where it only wants to know what would happen.
import { createHash } from 'node:crypto'
import type { JSONValue } from 'convex/values'
import type { Outcome } from '#server/platform/sync/host.ts'
import { AppError } from '#shared/errors.ts'
import { canonicalArguments } from './arguments.ts'
import { unlessAway } from './away.ts'
import type { Caller } from './caller.ts'
import { findOutcome } from './mutation-log.store.ts'
import { failure } from './outcomes.ts'
import { AlreadyDone, admitCaller, type FunctionParts, findFunction, runMutation, runQuery } from './run.ts'

/** How long an action may take. */
const ACTION_MS = 60_000

export type ProgramCall = {
  caller: Caller
  /** The function's wire name. An action cannot be taken back, so none is called on trial. */
  path: string
  args: JSONValue
  /** The client's address, for the audit trail. */
  address: string | null
  /** A mutation is carried out in full and taken back: its outcome is what would have been. */
  isTrial?: boolean
  /** A mutation of the same caller with the same key is carried out once; null: each time. */
  key?: string | null
}

/** Runs one call. Never throws. */
export type ProgramCalls = (call: ProgramCall) => Promise<Outcome>

/** Undoes a mutation on trial. */
class TakenBack extends Error {
  readonly value: JSONValue
  constructor(value: JSONValue) {
    super('taken back')
    this.value = value
  }
}

/** Calls with the same parts as those of people. */
export function createProgramCalls(parts: FunctionParts): ProgramCalls {
  return async (call) => {
    try {
      return { ok: true, value: await unlessAway(parts.database, run(parts, call)) }
    } catch (error) {
      return failure(error, call.path, parts.logger)
    }
  }
}

async function run(parts: FunctionParts, call: ProgramCall): Promise<JSONValue> {
  const definition = findFunction(parts, call.path, call.isTrial ? ['mutation'] : ['query', 'mutation', 'action'])
  const admitted = admitCaller(definition, call.caller, call)
  if (definition.kind === 'query') return runQuery(parts, admitted)
  if (definition.kind === 'action') return parts.handlers.action(admitted, AbortSignal.timeout(ACTION_MS))
  if (call.isTrial) return tryOut(parts, admitted)
  if (!call.key) return (await runMutation(parts, admitted, call.path)).value
  return runOnce(parts, admitted, { ...call, key: call.key })
}

async function tryOut({ database, handlers }: FunctionParts, call: ReturnType<typeof admitCaller>): Promise<JSONValue> {
  const attempt = database.transaction(call.access.scope, async (db): Promise<JSONValue> => {
    throw new TakenBack(await handlers.mutation(call, db, new Date()))
  })
  return attempt.catch((error: unknown) => {
    if (error instanceof TakenBack) return error.value
    throw error
  })
}

async function runOnce(
  parts: FunctionParts,
  admitted: ReturnType<typeof admitCaller>,
  { caller, path, args, key }: ProgramCall & { key: string },
): Promise<JSONValue> {
  const fingerprint = hashOf(`${path}\n${canonicalArguments(args)}`)
  const request = { subject: `program:${caller.sessionId}`, clientSession: hashOf(key), requestId: 0 }
  try {
    return (await runMutation(parts, admitted, path, { key: request, fingerprint, onCommitting: () => undefined }))
      .value
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw error
    const stored = await parts.database.transaction({ kind: 'none' }, (db) => findOutcome({ db }, request), {
      isolation: 'read committed',
      readOnly: true,
    })
    if (stored?.fingerprint !== fingerprint) throw new AppError('idempotency_key_reused')
    return stored.value
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
