// The order of events in one conversation: recorded while its seed is played, and imposed when it is replayed.

/** How long a replay waits for the next event before it goes on without it. */
const PATIENCE_MS = 600
/** An event further ahead in the record than this is not due: an actor that waits for it by name does something that the record does not hold. */
const AHEAD = 3
/** Delay before an awaited event is looked for among those that only wait for the clock. */
const HURRY_MS = 150

export type ActOptions<T> = {
  /** Whether the result concerns the conversation; if not, it is no event. Defaults to true. */
  concerns?: (value: T) => boolean
  /** Aborts the wait for its turn. */
  signal?: AbortSignal
}
type Waiting = { name: string; begin(): void }

/**
 * The events of a conversation, by name. Everything that can influence the outcome is done through `act`: without a record at once, and
 * recorded when it completes; with a record one after another, each in its turn. Events of the record that do not come again
 * are skipped after a while, so that a replay always ends.
 */
export class Order {
  /** Events so far. */
  readonly events: string[] = []
  /** Events of the record that did not come in its order. */
  missed = 0
  readonly #record: readonly string[] | null
  /** Events of the record that are not waited for, each with the number of awaited events before it. */
  readonly #unawaited: { name: string; place: number }[] = []
  readonly #waiting: Waiting[] = []
  /** Actions that the replay runs itself, in place of those who did them in the record. */
  readonly #others = new Map<string, () => void>()
  #at = 0
  /** Position of the last action that the record does not hold. */
  #deviatedAt = -1
  #isActing = false
  #impatience: NodeJS.Timeout | undefined
  #hurry: () => void = () => undefined
  #advanced: () => void = () => undefined

  /** `unawaited`: names of polled actions, which are recorded a moment before or after the event that led to them. */
  constructor(record: readonly string[] | null = null, unawaited: ReadonlySet<string> = new Set()) {
    if (!record) {
      this.#record = null
      return
    }
    const awaited: string[] = []
    for (const name of record) {
      if (unawaited.has(name)) this.#unawaited.push({ name, place: awaited.length })
      else awaited.push(name)
    }
    this.#record = awaited
  }

  get isReplay(): boolean {
    return this.#record !== null
  }

  /** Whether an action of this name would run at once in a replay. After the end of the record all do. */
  isNext(name: string): boolean {
    const expected = this.#record?.[this.#at]
    return expected === undefined || expected === name
  }

  /** Whether an unawaited action of this name may run by now in a replay: from one event before its place. */
  isDue(name: string): boolean {
    return this.isNext(name) || this.#unawaited.some((each) => each.name === name && each.place <= this.#at + 1)
  }

  /** Runs one action, in a replay in its turn. */
  async act<T>(name: string, run: () => T | Promise<T>, { concerns, signal }: ActOptions<T> = {}): Promise<T> {
    if (this.isReplay) await this.#turnOf(name, signal)
    let isEvent = true
    try {
      const value = await run()
      isEvent = concerns?.(value) ?? true
      return value
    } finally {
      this.#isActing = false
      if (isEvent) this.note(name)
      this.#next()
    }
  }

  /** Records an event that is not waited for. */
  note(name: string): void {
    this.events.push(name)
    const early = this.#unawaited.findIndex((each) => each.name === name)
    if (early >= 0) this.#unawaited.splice(early, 1)
    else if (this.#record?.[this.#at] === name) this.#advance(1)
  }

  /** In a replay, `run` does what others did in the record under this name. */
  onOthers(name: string, run: () => void): void {
    this.#others.set(name, run)
  }

  /** `run` ends waits by the clock: a replay is faster than its record, and the record orders the waiting actions anyway. */
  onHurry(run: () => void): void {
    this.#hurry = run
  }

  /** `run` is called when a replay expects another event. */
  onAdvance(run: () => void): void {
    this.#advanced = run
  }

  #turnOf(name: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        signal?.removeEventListener('abort', abort)
      }
      const abort = () => {
        leave()
        reject(signal?.reason)
      }
      const begin = () => {
        leave()
        this.#isActing = true
        resolve()
      }
      const waiting = { name, begin }
      signal?.throwIfAborted()
      signal?.addEventListener('abort', abort)
      this.#waiting.push(waiting)
      this.#next()
    })
  }

  #next(): void {
    if (this.#record === null || this.#isActing) return
    this.#actForOthers(this.#record)
    const expected = this.#record[this.#at]
    // After the end of the record everything runs as it comes.
    const found = this.#waiting.find(({ name }) => name === expected || expected === undefined)
    if (found) found.begin()
    else if (this.#waiting.length > 0) this.#impatience ??= setTimeout(() => this.#hurryUp(), HURRY_MS)
  }

  #actForOthers(record: readonly string[]): void {
    for (;;) {
      const others = this.#others.get(record[this.#at] ?? '')
      if (!others) return
      this.#advance(1)
      others()
    }
  }

  #hurryUp(): void {
    this.#hurry()
    this.#impatience = setTimeout(() => this.#passOver(), PATIENCE_MS)
  }

  /**
   * The expected event does not come: it is skipped for an actor that waits and is near in the record. If there is none, one actor acts
   * in addition to the record, once; then it is skipped all the same.
   */
  #passOver(): void {
    this.#impatience = undefined
    const record = this.#record
    if (this.#isActing || record === null) return
    const places = this.#waiting.map(({ name }) => record.indexOf(name, this.#at + 1) - this.#at)
    const nearest = Math.min(...places.filter((place) => place > 0 && place <= AHEAD))
    if (Number.isFinite(nearest)) this.#skip(nearest, this.#waiting[places.indexOf(nearest)])
    else if (this.#deviatedAt === this.#at) this.#skip(1)
    else {
      this.#deviatedAt = this.#at
      this.#skip(0, this.#waiting[0])
    }
  }

  /** Skips some events of the record; at least one did not come in its order. */
  #skip(events: number, next?: Waiting): void {
    this.missed += Math.max(1, events)
    this.#advance(events)
    if (next) next.begin()
    else this.#next()
  }

  #advance(by: number): void {
    this.#at += by
    clearTimeout(this.#impatience)
    this.#impatience = undefined
    this.#advanced()
  }
}
