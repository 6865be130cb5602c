// Who is given a connection when several want one: everything that reads or writes the database passes here, and no organization, account or
// stranger can hold all connections, or so many that the others become slow (docs/decisions/083-fair-shares.md).
import os from 'node:os'
import type { FairLimits, Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import {
  currentParty,
  FairScheduler,
  type Place,
  partyOfOrganization,
  SIGN_IN,
} from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Scope } from '../database.ts'
import type { Engine, Session } from './engine.ts'
import { POOL_SIZE } from './postgres.engine.ts'

/** Work of the server itself: claims, housekeeping, the job queue. */
const SYSTEM = 'system'
/** Connections that one group leaves to others, even while it is alone: the next party waits for none of its work to end. */
const LEFT_TO_OTHERS = 4
/** Connections of one group while another is active: the database works for the others meanwhile. */
const CONTENDED_LEAST = 3
/** Place time of one group while another is active: a seventh of the processors that are here. A remote database has as many, roughly. */
const MS_PER_SECOND_AND_PROCESSOR = 140
const BURST_MS = 250
/** Work outstanding of a group that is not held to its budget: a few short statements at a time. */
const OUTSTANDING_MS = 30

/** The limits on a machine with this many processors. */
export function connectionLimits(processors: number): FairLimits {
  const contended = Math.min(Math.max(CONTENDED_LEAST, processors), POOL_SIZE / 2)
  // What is read of a caller is little, and must not wait for what others do.
  const isBackground = (group: string) => group === SYSTEM || group === SIGN_IN
  return {
    places: POOL_SIZE,
    most: (group, isContended) => (isContended && !isBackground(group) ? contended : POOL_SIZE - LEFT_TO_OTHERS),
    isBackground,
    budget: {
      perSecond: MS_PER_SECOND_AND_PROCESSOR * Math.max(2, processors),
      burst: BURST_MS,
      outstanding: OUTSTANDING_MS,
    },
  }
}

/** An engine that servers on one database can be fair with together. */
export interface FairEngine extends Engine {
  /** Organizations and strangers that use connections here, at most `most`. */
  active(most: number): string[]
  /** Notes which use connections on another server. */
  hear(server: string, groups: string[]): void
}

/** The engine with fair queueing of its sessions. Without a party the one of the calls is charged, or the server itself. */
export function fairEngine(engine: Engine, limits = connectionLimits(os.availableParallelism())): FairEngine {
  const scheduler = new FairScheduler(limits)
  return {
    ...engine,
    active: (most) => scheduler.active(most),
    hear: (server, groups) => scheduler.hear(server, groups),
    async acquire(party = currentParty() ?? SERVER) {
      const place = await scheduler.enter(party)
      try {
        return leavingOnRelease(await engine.acquire(), place)
      } catch (error) {
        place.leave()
        throw error
      }
    },
  }
}

/** The party that a transaction is charged to: its organization if it has one, else that of the calls. */
export function partyOf(scope: Scope): Party {
  return scope.kind === 'organization' ? partyOfOrganization(scope.organizationId) : (currentParty() ?? SERVER)
}

/** The server itself; its member is the one whose request has caused the work. */
export function systemParty(): Party {
  return { group: SYSTEM, member: currentParty()?.member ?? '' }
}

const SERVER: Party = { group: SYSTEM, member: '' }

function leavingOnRelease(session: Session, place: Place): Session {
  const release = session.release.bind(session)
  return Object.assign(session, {
    shouldYield: () => place.shouldYield(),
    rest: () => place.rest(),
    release(broken?: boolean) {
      release(broken)
      place.leave()
    },
  })
}
