// When something happened in a fake, so that a page that shows two lists as one keeps their order.

/** Milliseconds since 1970, finer than a millisecond: two messages of one have their order. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}
