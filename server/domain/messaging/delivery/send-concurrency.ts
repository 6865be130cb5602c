// Room for sends that are under way at once. A connection whose sends last long, because its provider or program takes its time, leaves
// the room to others and gets little of it for a while: nobody waits for somebody else's receiver.

/** Quick sends under way at once. A hard kill leaves at most so many of unknown outcome where providers answer quickly. */
export const SENDS_AT_ONCE = 16
/** With the slow ones: what a hard kill leaves at most where providers are slow. */
export const SENDS_MOST = 64
/** A send that lasts longer is slow, milliseconds. */
const SLOW_MS = 1000
/** So many sends of a connection that was found slow begin, as long as others of it are under way … */
const SLOW_AT_ONCE = 4
/** … until none of it has been slow for so long. */
const SLOW_FOR_MS = 30_000

/** Room for one send. */
export type Place = {
  /** It leaves: from now on it is timed. */
  start(): void
  /** It has ended, or was never begun. Called once. */
  end(): void
}

type Connection = { open: number; slowUntil: number }

/** Room for the sends of one process. */
export class SendSemaphore {
  readonly #onSlow: () => void
  readonly #connections = new Map<string, Connection>()
  #open = 0
  #quick = 0

  /** @param onSlow a send has left its room to others */
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

  /** Its sends have lasted long lately. */
  isSlow(connectionId: string): boolean {
    return (this.#connections.get(connectionId)?.slowUntil ?? 0) > performance.now()
  }

  /** Slow connections of which enough is in hand. @param waiting connections of parts in hand that are not begun, one for each part */
  busy(waiting: string[]): string[] {
    const inHand = (id: string) => this.#openOf(id) + waiting.filter((each) => each === id).length
    return [...this.#connections.keys()].filter((id) => this.isSlow(id) && inHand(id) >= 2 * SLOW_AT_ONCE)
  }

  /** Null: there is none. */
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
