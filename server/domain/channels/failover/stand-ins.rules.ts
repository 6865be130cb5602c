// Which connection may stand in for which: no cycles. Pure.
import type { Id } from '#shared/ids.ts'

type ConnectionId = Id<'channelConnections'>

/** Whether conversations of `id` could come back to it if `standInId` stood in: a cycle, in which no number would own them. */
export function isCircle(
  standIns: ReadonlyMap<ConnectionId, ConnectionId | null>,
  id: ConnectionId,
  standInId: ConnectionId,
): boolean {
  const seen = new Set<ConnectionId>()
  for (let next: ConnectionId | null = standInId; next !== null && !seen.has(next); ) {
    if (next === id) return true
    seen.add(next)
    next = standIns.get(next) ?? null
  }
  return false
}
