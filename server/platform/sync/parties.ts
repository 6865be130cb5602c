// On whose behalf a client's work is done.
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import { organizationGroup, STRANGERS } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Claims } from './host.ts'

/** The organization with the account as its member; accounts without one, and addresses that show no token, are strangers. */
export function partyOfClient(claims: Claims | null, address: string): Party {
  if (!claims) return { group: STRANGERS, member: address }
  if (claims.organizationId === null) return { group: STRANGERS, member: `account ${claims.userId}` }
  return { group: organizationGroup(claims.organizationId), member: `account ${claims.userId}` }
}

/** What clients share a lane by: an organization, an account without one, or an address. */
export function laneOf({ group, member }: Party): string {
  return group === STRANGERS ? `${group} ${member}` : group
}
