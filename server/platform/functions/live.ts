// Queries as the realtime layer keeps them current: a key that says who may share the result, and a run in a given snapshot.
import { createHash } from 'node:crypto'
import type { JSONValue } from 'convex/values'
import type { Db } from '#server/platform/db/database.ts'
import { isConnectionLost } from '#server/platform/db/engine/engine.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { type FairScheduler, partyOfOrganization } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { LiveQuery, Outcome, QueryRun, Viewer } from '#server/platform/sync/host.ts'
import { AppError } from '#shared/errors.ts'
import { assertOwnOrganization, authorize } from './access.ts'
import { canonicalArguments, parseArguments } from './arguments.ts'
import type { Caller } from './caller.ts'
import type { Admitted, Handlers } from './handlers.ts'
import { expectedFailure, failure } from './outcomes.ts'
import type { Registry } from './registry.ts'

export type LiveParts = {
  registry: Registry
  handlers: Handlers
  /** Searches in progress: how many of one organization run at once. */
  searches: FairScheduler
  logger: Logger
}

/** Live queries as one caller sees them; null: as without a session. */
export function viewerFor(parts: LiveParts, caller: Caller | null): Viewer {
  return {
    key: JSON.stringify(caller),
    query(path, args) {
      try {
        return liveQuery(parts, path, args, caller)
      } catch (error) {
        return refused(failure(error, path, parts.logger))
      }
    },
  }
}

function liveQuery(parts: LiveParts, path: string, args: JSONValue, caller: Caller | null): LiveQuery {
  const definition = parts.registry.find(path)
  if (!definition) throw new AppError('unknown_function', { name: path })
  if (definition.kind !== 'query') throw new AppError('wrong_kind', { name: path, kind: definition.kind })
  const access = authorize(definition, caller)
  const call: Admitted = { definition, access, args: parseArguments(definition, args), address: null }
  assertOwnOrganization(definition, access, call.args)
  return {
    key: `${path}\n${shortened(canonicalArguments(args))}\n${access.sharedBy}`,
    group: access.sharedBy,
    restMs: definition.restMs,
    run: async (snapshot, previous) => {
      const { organizationId } = access
      // It holds a connection that searches wait for, so it must not wait for them. Lanes run one query at a time.
      const place =
        definition.isSearch && organizationId ? parts.searches.occupy(partyOfOrganization(organizationId)) : null
      let written: string | null = null
      const write = (text: string) => {
        written = text
      }
      try {
        const run = (db: Db) => expectable(parts.handlers.query(call, db, { previous, write }))
        const { value: outcome, dependencies } = await snapshot.read(access.scope, run)
        return { outcome, journal: outcome.ok ? written : previous, dependencies }
      } catch (error) {
        if (isConnectionLost(error)) throw error
        return { outcome: failure(error, path, parts.logger), journal: previous, dependencies: null }
      } finally {
        place?.leave()
      }
    },
  }
}

/** Longer texts are hashed, so that arguments are not stored twice. */
const KEY_TEXT_MAX = 200

function shortened(text: string): string {
  return text.length <= KEY_TEXT_MAX ? text : `sha256 ${createHash('sha256').update(text).digest('base64url')}`
}

/** An expected failure is a result like any other: it depends on what was read, and is re-run when that changes. */
async function expectable(result: Promise<JSONValue>): Promise<Outcome> {
  try {
    return { ok: true, value: await result }
  } catch (error) {
    const outcome = expectedFailure(error)
    if (!outcome) throw error
    return outcome
  }
}

function refused(outcome: Outcome): LiveQuery {
  const key = `refused\n${JSON.stringify(outcome)}`
  const run: QueryRun = { outcome, journal: null, dependencies: [] }
  return { key, group: '', run: async () => run }
}
