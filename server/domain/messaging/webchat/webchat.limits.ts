// How much visitors of the web chat may ask of one server process: each visitor, and all of one address together.
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

/** So many are counted before those who have not been here for a while are forgotten. */
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

  /** A file, besides what is counted in rows: nobody makes visitors by the dozen to use up what a widget takes. */
  maySendFile(address: string): boolean {
    return this.#files.of(address).bucket.take()
  }

  /** A message or a rating. `visitor` is unique over all widgets. */
  maySend(visitor: string): boolean {
    return this.#visitors.of(visitor).bucket.take()
  }

  /** A message, besides what each visitor may send: an address has as many visitors as it likes. */
  mayWrite(address: string): boolean {
    return this.#messages.of(address).bucket.take()
  }

  /** The first message of a visitor. */
  mayBegin(address: string): boolean {
    return this.#newVisitors.of(address).bucket.take()
  }

  /** Call the result when the stream has ended. Null: too many. */
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
