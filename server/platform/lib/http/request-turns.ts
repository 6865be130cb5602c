// HTTP requests in fair order, before anything of them is read: what refuses a request costs processor time too, and connections to the
// database, which are shared out later, are not needed for that. Each connection of a channel, each web chat and each credential is a group
// of its own once a request of it was answered; until then it is among strangers, so that inventing paths or credentials gains nothing.
import { createHash } from 'node:crypto'
import type { FairLimits, Party } from '../scheduling/fair-queue.ts'
import { FairScheduler, STRANGERS } from '../scheduling/fair-scheduler.ts'

/** What a request counts for, milliseconds, however long it takes: it may be a stream, or a large file on a slow line. */
const COST_MS = 1
/** Requests of one group a second, by processor, while another group is active; and how many at once before that. */
const PER_SECOND_AND_PROCESSOR = 250
const BURST = 500
/** Requests of one group that wait. */
const WAITING_MAX = 2_000
/** How many senders are remembered, the most recent ones. */
const KNOWN_MAX = 20_000
/** Paths that deliver to one organization: of a webhook, a web chat, a program. */
const OWN_PATH = /^\/(?:webhooks\/[^/]+|api\/webchat|api\/channels\/http)\/[^/]+/
/** Paths that answer nothing but a refusal to invented credentials. */
const ASKS_CREDENTIALS = /^\/api\/(?:(?:query|query_at_ts|mutation|action|function|auth\/token)$|v1\/|files\/)/

function limits(processors: number): FairLimits {
  return {
    places: Infinity,
    most: () => Infinity,
    isBackground: () => false,
    budget: { perSecond: COST_MS * PER_SECOND_AND_PROCESSOR * processors, burst: COST_MS * BURST, outstanding: 0 },
  }
}

type Asking = Pick<Request, 'url' | 'headers'>

export class RequestTurns {
  readonly #scheduler: FairScheduler
  /** Keys of senders, the most recent last. */
  readonly #known = new Set<string>()

  /** @param now as of FairScheduler */
  constructor(processors: number, now?: () => number) {
    this.#scheduler = new FairScheduler(limits(Math.max(2, processors)), now)
  }

  /** Waits for the request's turn. False: too many of its group wait already. */
  async take(request: Asking, address: string): Promise<boolean> {
    const party = this.partyOf(request, address)
    if (this.#scheduler.waiting(party) >= WAITING_MAX) return false
    await this.#scheduler.pass(party, COST_MS)
    return true
  }

  /** Notes that a request was answered with this status: that shows whether its path exists, or its credentials are good. */
  answered(request: Asking, status: number): void {
    const key = status < 400 ? provenBy(request) : undefined
    if (key === undefined) return
    this.#known.delete(key)
    this.#known.add(key)
    const [oldest] = this.#known
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest)
  }

  /** The sender of a request, as far as its path and headers show it. */
  partyOf(request: Asking, address: string): Party {
    const key = ownPath(request) ?? credentials(request)
    const isKnown = key !== undefined && this.#known.has(key)
    return { group: isKnown ? key : STRANGERS, member: address }
  }
}

/** The sender that an answer to this request speaks for. */
function provenBy(request: Asking): string | undefined {
  const own = ownPath(request)
  if (own !== undefined) return own
  return ASKS_CREDENTIALS.test(new URL(request.url).pathname) ? credentials(request) : undefined
}

function ownPath({ url }: Asking): string | undefined {
  return OWN_PATH.exec(new URL(url).pathname)?.[0]
}

function credentials({ headers }: Asking): string | undefined {
  const given = headers.get('authorization') ?? headers.get('cookie')
  return given === null ? undefined : createHash('sha256').update(given).digest('base64')
}
