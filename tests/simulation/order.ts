// In which order things happen to one conversation: written down while its seed is played, and imposed when it is played again.

/** How long a replay waits for the event whose turn it is before it goes on without it. */
const PATIENCE_MS = 600
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
  readonly #waiting: Waiting[] = []
  /** Done by the replay itself, for whoever did it in the record. */
  readonly #others = new Map<string, () => void>()
  #at = 0
  #isActing = false
  #impatience: NodeJS.Timeout | undefined
  #hurry: () => void = () => undefined

  constructor(record: readonly string[] | null = null) {
    this.#record = record
  }

  get isReplay(): boolean {
    return this.#record !== null
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
    if (this.#record?.[this.#at] === name) this.#advance(1)
  }

  /** In a replay, `run` does what others did in the record under this name. */
  onOthers(name: string, run: () => void): void {
    this.#others.set(name, run)
  }

  /** `run` ends waits by the clock: a replay is faster than its record, and what waits is held back by the record anyway. */
  onHurry(run: () => void): void {
    this.#hurry = run
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

  /** What is expected does not come: the record goes on with whoever of those that wait comes first in it. */
  #passOver(): void {
    this.#impatience = undefined
    const record = this.#record
    if (this.#isActing || record === null) return
    const places = this.#waiting.map((waiting) => ({ waiting, place: record.indexOf(waiting.name, this.#at + 1) }))
    const [first] = places.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place)
    this.missed += first ? first.place - this.#at : 1
    if (first) this.#advance(first.place - this.#at)
    const next = first?.waiting ?? this.#waiting[0]
    next?.begin()
  }

  #advance(by: number): void {
    this.#at += by
    clearTimeout(this.#impatience)
    this.#impatience = undefined
  }
}
