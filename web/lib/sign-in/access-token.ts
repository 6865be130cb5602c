// The realtime token: fetched with the session cookie from the sign-in service, kept until shortly before it expires. It is for the
// organization of this tab alone.
import { TOKEN_LIFETIME_SECONDS, TOKEN_REFRESH_LEEWAY_SECONDS } from '#shared/limits.ts'
import { sleep } from '#web/lib/browser/sleep.ts'
import { authFetch, cacheSession } from './cross-domain.ts'
import { noteEndReason } from './end-reason.ts'
import { refuseWorkplace, settleWorkplace, wantedOrganization } from './workplace.ts'

/** Waits after failed requests of one round: 100 ms doubling to 1 s, ten times. */
const ROUND_BASE_MS = 100
const ROUND_MAX_MS = 1000
const ROUND_RETRIES = 10
/** Waits between rounds: 1 s doubling to 30 s, or to 15 s when the device says it is offline; the counter stops at 10. */
const REFRESH_BASE_MS = 1000
const REFRESH_MAX_MS = 30_000
const REFRESH_MAX_OFFLINE_MS = 15_000
const REFRESH_COUNTER_MAX = 10

type Token = { token: string; expiresAt: number }
/** What the source needs from outside; tests hand in their own. */
export type TokenWorld = {
  fetch: typeof fetch
  sleep: (milliseconds: number) => Promise<void>
  now: () => number
  isOffline: () => boolean
}

const browserWorld: TokenWorld = {
  fetch: (path) => authFetch(String(path)),
  sleep,
  now: Date.now,
  isOffline: () => !navigator.onLine,
}

/** One source per session. Requests that overlap share one fetch. */
export function createTokenSource(world: TokenWorld = browserWorld) {
  let held: Token | null = null
  let pending: Promise<string | null> | null = null

  /**
   * The current token. Waits through network failures for as long as they last.
   *
   * @returns null when the sign-in service says that there is no session
   */
  function get({ forceRefreshToken = false } = {}): Promise<string | null> {
    const isFresh = held && held.expiresAt - world.now() > TOKEN_REFRESH_LEEWAY_SECONDS * 1000
    if (held && isFresh && !forceRefreshToken) return Promise.resolve(held.token)
    pending ??= fetchUntilAnswered(world)
      .then((token) => {
        held = token
        return token?.token ?? null
      })
      .finally(() => {
        pending = null
      })
    return pending
  }

  /** Forgets the token, at sign-out or before another session. */
  function forget(): void {
    held = null
  }
  return { get, forget }
}

async function fetchUntilAnswered(world: TokenWorld): Promise<Token | null> {
  for (let failures = 0; ; failures = Math.min(failures + 1, REFRESH_COUNTER_MAX)) {
    const answer = await fetchRound(world)
    if (answer !== 'no answer') return answer
    const longest = world.isOffline() ? REFRESH_MAX_OFFLINE_MS : REFRESH_MAX_MS
    await world.sleep(Math.min(REFRESH_BASE_MS * 2 ** failures, longest))
  }
}

async function fetchRound(world: TokenWorld): Promise<Token | null | 'no answer'> {
  for (let attempt = 0; attempt <= ROUND_RETRIES; attempt++) {
    if (attempt > 0) await world.sleep(Math.min(ROUND_BASE_MS * 2 ** (attempt - 1), ROUND_MAX_MS))
    const answer = await fetchOnce(world)
    if (answer !== 'no answer') return answer
  }
  return 'no answer'
}

async function fetchOnce(world: TokenWorld): Promise<Token | null | 'no answer'> {
  try {
    const wanted = wantedOrganization()
    const response = await world.fetch(`/api/auth/token?organizationId=${encodeURIComponent(wanted)}`)
    if (response.status === 401) {
      const refusal = (await response.json().catch(() => null)) as { reason?: unknown } | null
      noteEndReason(refusal?.reason)
      cacheSession(null)
      return null
    }
    if (response.status === 403 && (await isNoMember(response)) && refuseWorkplace(wanted))
      return await fetchOnce(world)
    if (!response.ok) return 'no answer'
    const body = (await response.json()) as TokenAnswer
    if (!body.token) return 'no answer'
    settleWorkplace(body.organizationId ?? null)
    return { token: body.token, expiresAt: body.expiresAt ?? world.now() + TOKEN_LIFETIME_SECONDS * 1000 }
  } catch {
    return 'no answer'
  }
}

/** `organizationId`: that the token is for; null: the person has none. */
type TokenAnswer = { token?: string; expiresAt?: number; organizationId?: string | null }

/** Whether a refusal says that the person does not belong to the organization. */
async function isNoMember(response: Response): Promise<boolean> {
  const body = (await response.json().catch(() => null)) as { code?: string } | null
  return body?.code === 'NOT_A_MEMBER'
}
