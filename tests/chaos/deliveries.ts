// Delivery of notifications to the servers' webhooks at its worst: lost answers, copies that arrive at all servers
// at the same time, and unparsable bodies in place of real ones.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Poison } from './poison.ts'

/** `lossRate`: share of answers, 0 to 1, that do not reach the provider, which then delivers again. */
export type Delivering = { lossRate: number; isTwice: boolean }
/** When a notification was first posted, and when a server first acknowledged it; by `performance.now()`. */
export type Passage = { begunAt: number; takenAt: number | null }

/** Half of the lost answers are cut off so early that the server is still working when the copy arrives. */
const CUT_MS = 15
/** Longest random delay of a racing copy. */
const SPREAD_MS = 40

/** Posts notifications for a fake, whatever they contain. */
export class Deliveries {
  /** By the notification as the fake knows it. */
  readonly passages = new Map<object, Passage>()
  /** Posted in place of a notification of the fake's own. */
  readonly poisons = new Map<object, Poison>()
  /** Answers that no provider may receive, such as 500: it would hold back everything behind. */
  readonly refusals: string[] = []
  readonly #origins: () => string[]
  readonly #faults: Delivering

  constructor(origins: () => string[], faults: Delivering) {
    this.#origins = origins
    this.#faults = faults
  }

  /** As `post` of the fakes. */
  async post(url: string, headers: Record<string, string>, notification: object): Promise<boolean> {
    const passage = this.passages.get(notification) ?? { begunAt: performance.now(), takenAt: null }
    this.passages.set(notification, passage)
    const poison = this.poisons.get(notification)
    const body = poison?.body ?? JSON.stringify(notification)
    const isLost = Math.random() < this.#faults.lossRate
    const cutMs = isLost && Math.random() < 0.5 ? Math.ceil(Math.random() * CUT_MS) : null
    const answers = await Promise.all(
      this.#addresses(url).map(async (address) => {
        if (this.#faults.isTwice) await sleep(Math.random() * SPREAD_MS)
        const status = await postOnce(address, headers, body, cutMs)
        if (status === 200) passage.takenAt ??= performance.now()
        else if (status !== null && status !== 503) this.refusals.push(`${status}: ${poison?.name ?? body}`)
        return status === 200
      }),
    )
    return answers.some(Boolean) && !isLost
  }

  /** Every server, the chosen one twice, when copies arrive at the same time. */
  #addresses(url: string): string[] {
    if (!this.#faults.isTwice) return [url]
    const others = this.#origins().map((origin) => origin + new URL(url).pathname)
    return [url, ...others]
  }
}

/** @returns the status; null when no answer came in time */
async function postOnce(
  url: string,
  headers: Record<string, string>,
  body: string,
  cutMs: number | null,
): Promise<number | null> {
  const signal = cutMs === null ? null : AbortSignal.timeout(cutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}
