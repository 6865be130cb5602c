// A rate limit: a burst, then a number per second.

export class TokenBucket {
  readonly #burst: number
  readonly #perSecond: number
  #tokens: number
  #filledAt = performance.now()

  constructor(burst: number, perSecond: number) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#tokens = burst
  }

  /** Takes one; false when there is none. */
  take(): boolean {
    this.#fill()
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }

  /** Whether the bucket is full again. */
  get isFull(): boolean {
    this.#fill()
    return this.#tokens >= this.#burst
  }

  #fill(): void {
    const now = performance.now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond)
    this.#filledAt = now
  }
}
