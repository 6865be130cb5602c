// HTTP requests in fair order, before anything of them is read: what refuses a request costs processor time too, and connections to the
// database, which are shared out later, are not needed for that. Each connection of a channel and each web chat is a group by its address here;
// requests that carry credentials pass, for whose they are is found out by what looks at them.
import type { FairLimits, Party } from './fair-queue.ts'
import { FairScheduler, STRANGERS } from './fair-scheduler.ts'

/** What a request counts for, milliseconds, however long it takes: it may be a stream, or a large file on a slow line. */
const COST_MS = 1
/** Requests of one group a second, by processor, while another group is active; and how many at once before that. */
const PER_SECOND_AND_PROCESSOR = 250
const BURST = 500
/** Requests of one group that wait. */
const WAITING_MAX = 2_000
/** Paths that deliver to one organization: of a webhook, a web chat, a program. */
const OWN_PATH = /^\/(?:webhooks\/[^/]+|api\/webchat|api\/channels\/http)\/[^/]+/
const SIGNED = 'signed'

function limits(processors: number): FairLimits {
  return {
    places: Infinity,
    most: () => Infinity,
    isBackground: (group) => group === SIGNED,
    budget: { perSecond: COST_MS * PER_SECOND_AND_PROCESSOR * processors, burst: COST_MS * BURST },
  }
}

export class RequestTurns {
  readonly #scheduler: FairScheduler

  /** @param now as of FairScheduler */
  constructor(processors: number, now?: () => number) {
    this.#scheduler = new FairScheduler(limits(Math.max(2, processors)), now)
  }

  /** Waits for the request's turn. False: too many of its group wait already. */
  async take(request: Request, address: string): Promise<boolean> {
    const party = senderOf(request, address)
    if (this.#scheduler.waiting(party) >= WAITING_MAX) return false
    await this.#scheduler.pass(party, COST_MS)
    return true
  }
}

/** The sender of a request, as far as its path and headers show it. */
export function senderOf(request: Pick<Request, 'url' | 'headers'>, address: string): Party {
  const own = OWN_PATH.exec(new URL(request.url).pathname)?.[0]
  if (own !== undefined) return { group: own, member: address }
  const hasCredentials = request.headers.has('authorization') || request.headers.has('cookie')
  return hasCredentials ? { group: SIGNED, member: address } : { group: STRANGERS, member: address }
}
