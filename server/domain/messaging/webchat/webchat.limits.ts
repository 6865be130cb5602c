// Rate limits of web chat visitors in one server process: for each visitor, and for all of one address together.
import { TokenBucket } from '#server/platform/lib/scheduling/token-bucket.ts'
import {
  WEBCHAT_ADDRESS_MESSAGES,
  WEBCHAT_ADDRESS_MESSAGES_PER_HOUR,
  WEBCHAT_ADDRESS_NEW_VISITORS,
  WEBCHAT_ADDRESS_NEW_VISITORS_PER_HOUR,
} from '#shared/channels/visitor-ceilings.ts'
import {
  WEBCHAT_ADDRESS_BURST,
  WEBCHAT_ADDRESS_FILES,
  WEBCHAT_ADDRESS_PER_SECOND,
  WEBCHAT_STREAMS_PER_ADDRESS,
  WEBCHAT_STREAMS_PER_VISITOR,
  WEBCHAT_VISITOR_BURST,
  WEBCHAT_VISITOR_PAUSE_MS,
} from '#shared/limits.ts'

/** How many are counted before those that have been idle for a while are dropped. */
const TIDY_AT = 10_000

/** Counts since this process started. */
export class VisitorLimits {
  readonly #addresses = new Counters(WEBCHAT_ADDRESS_BURST, WEBCHAT_ADDRESS_PER_SECOND)
  readonly #files = new Counters(WEBCHAT_ADDRESS_FILES, WEBCHAT_ADDRESS_FILES / 3600)
  readonly #newVisitors = new Counters(WEBCHAT_ADDRESS_NEW_VISITORS, WEBCHAT_ADDRESS_NEW_VISITORS_PER_HOUR / 3600)
  readonly #messages = new Counters(WEBCHAT_ADDRESS_MESSAGES, WEBCHAT_ADDRESS_MESSAGES_PER_HOUR / 3600)
  readonly #visitors = new Counters(WEBCHAT_VISITOR_BURST, 1000 / WEBCHAT_VISITOR_PAUSE_MS)

  /** Any request. */
  mayAsk(address: string): boolean {
    return this.#addresses.of(address).bucket.take()
  }

  /** A file, in addition to the limits that are counted in rows: keeps visitors made by the dozen from using up the widget's allowance. */
  maySendFile(address: string): boolean {
    return this.#files.of(address).bucket.take()
  }

  /** A message or a rating. `visitor` is unique over all widgets. */
  maySend(visitor: string): boolean {
    return this.#visitors.of(visitor).bucket.take()
  }

  /** A message, in addition to each visitor's limit: an address can have any number of visitors. */
  mayWrite(address: string): boolean {
    return this.#messages.of(address).bucket.take()
  }

  /** The first message of a visitor. */
  mayBegin(address: string): boolean {
    return this.#newVisitors.of(address).bucket.take()
  }

  /** Call the returned function when the stream has ended. Null: too many. */
  openStream(address: string, visitor: string): (() => void) | null {
    const [from, who] = [this.#addresses.of(address), this.#visitors.of(visitor)]
    if (from.open >= WEBCHAT_STREAMS_PER_ADDRESS || who.open >= WEBCHAT_STREAMS_PER_VISITOR) return null
    from.open++
    who.open++
    return () => {
      from.open--
      who.open--
    }
  }
}

type Counter = { open: number; bucket: TokenBucket }

class Counters {
  readonly #counters = new Map<string, Counter>()
  readonly #burst: number
  readonly #perSecond: number

  constructor(burst: number, perSecond: number) {
    this.#burst = burst
    this.#perSecond = perSecond
  }

  of(key: string): Counter {
    const known = this.#counters.get(key)
    if (known) return known
    if (this.#counters.size >= TIDY_AT) this.#tidy()
    const counter = { open: 0, bucket: new TokenBucket(this.#burst, this.#perSecond) }
    this.#counters.set(key, counter)
    return counter
  }

  #tidy(): void {
    for (const [key, { open, bucket }] of this.#counters) if (open === 0 && bucket.isFull) this.#counters.delete(key)
  }
}
