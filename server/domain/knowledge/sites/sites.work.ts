// The context of one attempt at reading a site, shared by everything that works on its pages.
import type { Services } from '#server/functions/services.ts'
import type { WriteContext } from '../spaces/writes.ts'
import type { Robots } from './robots.rules.ts'
import type { Claimed } from './sites.sync.store.ts'

export type SyncServices = Pick<Services, 'database' | 'files' | 'jobs' | 'outbound'>

/** One attempt at work: how it writes, and what holds for all of its pages. */
export type Work = {
  services: SyncServices
  claimed: Claimed
  robots: Robots
  signal: AbortSignal
  /** @throws Superseded when the attempt is no longer the current one */
  write<T>(run: (ctx: WriteContext) => Promise<T>): Promise<T>
}
