// Timestamps of the protocol: nanoseconds since the epoch, each greater than the one before.

/** A clock that never stands still or goes back. */
export class Clock {
  #last = 0n

  next(): bigint {
    const now = BigInt(Date.now()) * 1_000_000n
    this.#last = now > this.#last ? now : this.#last + 1n
    return this.#last
  }
}

/**
 * What to add to every timestamp of one connection so that its client, who has seen `observed` elsewhere, never sees time go back.
 * Adding keeps the order; lifting single values would complete mutations too early.
 */
export function clockOffset(now: bigint, observed: bigint | null): bigint {
  return observed !== null && observed >= now ? observed - now + 1n : 0n
}
