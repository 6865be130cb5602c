// Limits concurrent sends. A connection whose sends take long, because its provider or program is slow, gives way to the others and gets
// few slots for a while: no connection waits for another one's receiver.

/** Quick sends under way at once. With fast providers, a hard kill leaves at most this many of unknown outcome. */
export const SENDS_AT_ONCE = 16
/** Including slow ones: what a hard kill leaves at most where providers are slow. */
export const SENDS_MOST = 64
/** A send that lasts longer is slow, milliseconds. */
const SLOW_MS = 1000
/** This many sends of a connection that was found slow may be under way … */
const SLOW_AT_ONCE = 4
/** … until none of them has been slow for this long. */
const SLOW_FOR_MS = 30_000

/** Room for one send. */
export type Place = {
  /** The send leaves: it is timed from now on. */
  start(): void
  /** The send has ended, or was never begun. Called once. */
  end(): void
}

type Connection = { open: number; slowUntil: number }

/** The slots for sends of one process. */
export class SendSemaphore {
  readonly #onSlow: () => void
  readonly #connections = new Map<string, Connection>()
  #open = 0
  #quick = 0

  /** @param onSlow called when a slow send has given its slot to others */
  constructor(onSlow: () => void) {
    this.#onSlow = onSlow
  }

  isEmpty(): boolean {
    return this.#open === 0
  }

  /** Whether a send through this connection may begin. */
  hasFor(connectionId: string): boolean {
    if (this.#quick >= SENDS_AT_ONCE || this.#open >= SENDS_MOST) return false
    return !this.isSlow(connectionId) || this.#openOf(connectionId) < SLOW_AT_ONCE
  }

  /** Whether its sends have been slow lately. */
  isSlow(connectionId: string): boolean {
    return (this.#connections.get(connectionId)?.slowUntil ?? 0) > performance.now()
  }

  /** Slow connections with enough parts claimed. @param waiting the connection of each claimed part that is not begun */
  busy(waiting: string[]): string[] {
    const inHand = (id: string) => this.#openOf(id) + waiting.filter((each) => each === id).length
    return [...this.#connections.keys()].filter((id) => this.isSlow(id) && inHand(id) >= 2 * SLOW_AT_ONCE)
  }

  /** A slot, or null when there is none. */
  take(connectionId: string): Place | null {
    if (!this.hasFor(connectionId)) return null
    const connection = this.#connections.get(connectionId) ?? { open: 0, slowUntil: 0 }
    this.#connections.set(connectionId, connection)
    connection.open++
    this.#open++
    this.#quick++
    let timer: NodeJS.Timeout | undefined
    let isQuick = true
    const noteSlow = () => {
      isQuick = false
      this.#quick--
      connection.slowUntil = performance.now() + SLOW_FOR_MS
      this.#onSlow()
    }
    return {
      start: () => {
        timer = setTimeout(noteSlow, SLOW_MS)
      },
      end: () => {
        clearTimeout(timer)
        connection.open--
        this.#open--
        if (isQuick) this.#quick--
        else connection.slowUntil = performance.now() + SLOW_FOR_MS
        if (connection.open === 0 && isQuick && !this.isSlow(connectionId)) this.#connections.delete(connectionId)
      },
    }
  }

  #openOf(connectionId: string): number {
    return this.#connections.get(connectionId)?.open ?? 0
  }
}
