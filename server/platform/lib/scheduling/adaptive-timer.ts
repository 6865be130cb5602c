// A repeating timer that runs often during activity and rarely without.

/** How long activity keeps the short interval, milliseconds. */
export const ACTIVE_FOR_MS = 2000

/** Pauses between two runs, milliseconds. */
export type Pauses = {
  busyMs: number
  idleMs: number | (() => number)
}

/** Runs something again and again until stopped, each time after the last run has ended. Does not keep the process alive. */
export class AdaptiveTimer {
  readonly #pauses: Pauses
  readonly #run: () => unknown
  #timer: NodeJS.Timeout | undefined
  #activeAt = performance.now()
  /** The timer waits for the long pause. */
  #isResting = false
  #isStopped = false

  /** @param run never throws; a promise it returns is waited for */
  constructor(pauses: Pauses, run: () => unknown) {
    this.#pauses = pauses
    this.#run = run
    this.#arm()
  }

  /** Something has happened: the next run comes after the short pause. Costs next to nothing. */
  active(): void {
    this.#activeAt = performance.now()
    if (!this.#isResting || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#arm()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #arm(): void {
    if (this.#isStopped) return
    const { busyMs, idleMs } = this.#pauses
    this.#isResting = performance.now() - this.#activeAt >= ACTIVE_FOR_MS
    const restMs = typeof idleMs === 'function' ? idleMs() : idleMs
    this.#timer = setTimeout(() => void this.#fire(), this.#isResting ? restMs : busyMs).unref()
  }

  async #fire(): Promise<void> {
    this.#isResting = false // until it is armed again, activity finds nothing to shorten
    await this.#run()
    this.#arm()
  }
}
