// How many messages a number takes over from one that may not send, in one run. Pure.
import { roomAt, type Sending } from '#shared/channels/caps.ts'

/** Time between two runs. */
const LOOK_EVERY_MS = 60_000

/**
 * As many as the number may send at once and does not have waiting. What it could not send soon stays where it is: the other number may
 * recover earlier, and no customer should wait for the slower of the two.
 */
export function roomToTakeOver({ caps, counts, waiting }: Sending, now: number): number {
  const { room } = roomAt({ ...caps, spacingMs: null }, counts, now)
  const paced = caps.spacingMs === null ? room : Math.max(1, Math.floor(LOOK_EVERY_MS / caps.spacingMs))
  return Math.max(0, Math.min(room, paced) - waiting)
}
