// In which order things happen to one conversation: written down while its seed is played, and imposed when it is played again.

/** How long a replay waits for the event whose turn it is before it goes on without it. */
const PATIENCE_MS = 600
/** What comes later than this in the record is not due: whoever waits for it by the same name does something that the record has not. */
const AHEAD = 3
/** How long until what it waits for is looked for among the things that only the clock keeps back. */
const HURRY_MS = 150

export type ActOptions<T> = {
  /** Whether what came of it concerns the conversation; if not, it is no event. Missing: it does. */
  concerns?: (value: T) => boolean
  /** Ends the waiting for its turn. */
  signal?: AbortSignal
}
type Waiting = { name: string; begin(): void }

/**
 * The events of a conversation, by name. Whatever can decide what becomes of it is done through `act`: without a record at once, and
 * noted when it is over; with a record one after another, each when its turn has come. What the record holds and does not come again
 * is passed over after a while, so that a replay always ends.
 */
export class Order {
  /** What has happened so far. */
  readonly events: string[] = []
  /** Events of the record that did not come in its order. */
  missed = 0
  readonly #record: readonly string[] | null
  /** Of the record, what nobody waits for, each with how many others stand before it. */
  readonly #unawaited: { name: string; place: number }[] = []
  readonly #waiting: Waiting[] = []
  /** Done by the replay itself, for whoever did it in the record. */
  readonly #others = new Map<string, () => void>()
  #at = 0
  /** Where somebody has acted besides the record. */
  #deviatedAt = -1
  #isActing = false
  #impatience: NodeJS.Timeout | undefined
  #hurry: () => void = () => undefined
  #advanced: () => void = () => undefined

  /** `unawaited`: names of what is looked for again and again, and told a moment before or after what has led to it. */
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

  /** Whether something of this name would be done at once in a replay. Behind the end of the record everything is. */
  isNext(name: string): boolean {
    const expected = this.#record?.[this.#at]
    return expected === undefined || expected === name
  }

  /** Whether something unawaited of this name may be done by now in a replay: not earlier than an event before its place. */
  isDue(name: string): boolean {
    return this.isNext(name) || this.#unawaited.some((each) => each.name === name && each.place <= this.#at + 1)
  }

  /** Does one thing, in a replay when its turn has come. */
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

  /** Something has happened that nobody had to wait for. */
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

  /** `run` ends waits by the clock: a replay is faster than its record, and what waits is held back by the record anyway. */
  onHurry(run: () => void): void {
    this.#hurry = run
  }

  /** `run` hears that something else is expected in a replay. */
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
    // Behind the end of the record everything goes on as it comes.
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
   * What is expected does not come: it is passed over for whoever waits and comes soon in the record. If nobody does, somebody acts
   * besides the record, once; then it is passed over all the same.
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

  /** Goes on without some events of the record; at least one is not as it was. */
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
