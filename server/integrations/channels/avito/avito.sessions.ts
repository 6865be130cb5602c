// Sessions with Avito: an access token and its account, requested with the account's key when they are needed, kept in memory until shortly
// before the token expires, and renewed once however many calls wait for it. A failure here means that no message was sent.
// @source developers.avito.ru/api-catalog/auth/documentation
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { type HttpAnswer, type HttpCall, NotConnectedError } from '#server/integrations/http/http-client.ts'
import { readAvitoAccess } from './avito.access.ts'
import { refusedBy, retryAfterMs, wordsOf } from './avito.refusals.ts'

/** `word`: the access token. `until`: how long it is used, in milliseconds. */
export type Session = { word: string; until: number; account: Account }
const self = z.object({ id: z.number(), name: z.string().catch('') })
export type Account = z.infer<typeof self>

/** All may throw AdapterError. */
export interface Sessions {
  of(token: string): Promise<Session>
  /** A new session, bypassing the cache: to check whether the key is accepted now. */
  renew(token: string): Promise<Session>
  /** Drops a session that Avito no longer accepts: the next call requests another. */
  refused(token: string, session: Session): Promise<void>
}

/** Makes one request, with a deadline. */
type Send = (call: Omit<HttpCall, 'signal'>) => Promise<HttpAnswer>

/** A token is not used in the last minute of its lifetime, or in the last tenth of a short one. */
const MARGIN_MS = 60_000
/** Accounts whose sessions are kept. */
const MAX_KEPT = 10_000

const given = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/** @param authUrl where access tokens are issued, and where their account is looked up */
export function createSessions(authUrl: string, send: Send): Sessions {
  const kept = new Map<string, Promise<Session>>()

  function renew(token: string): Promise<Session> {
    const asked = begin(authUrl, send, token)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(token, asked)
    asked.catch(() => kept.get(token) === asked && kept.delete(token))
    return asked
  }

  async function of(token: string): Promise<Session> {
    const known = kept.get(token)
    if (!known) return renew(token)
    const session = await known
    if (session.until > Date.now()) return session
    return kept.get(token) === known ? renew(token) : of(token)
  }

  return {
    of,
    renew,
    async refused(token, session) {
      const known = kept.get(token)
      const current = await known?.catch(() => null)
      if (current === session && kept.get(token) === known) kept.delete(token)
    },
  }
}

async function begin(authUrl: string, send: Send, token: string): Promise<Session> {
  const ask = (call: Omit<HttpCall, 'signal'>) =>
    send(call).catch((error: unknown): never => {
      const what = error instanceof NotConnectedError ? `not connected: ${error.code}` : 'no access token'
      throw new AdapterError('temporary', what)
    })
  const asked = tokenIn(await ask(tokenCall(authUrl, token)))
  const headers = { authorization: `Bearer ${asked.word}` }
  const answer = await ask({ method: 'GET', url: `${authUrl}/core/v1/accounts/self`, headers })
  const account = self.safeParse(wordsOf(answer.text)?.body)
  if (answer.status === 200 && account.success) return { ...asked, account: account.data }
  const refusal = refusedBy(answer)
  const isSure = refusal.kind !== 'unknown_outcome'
  throw isSure ? refusal : new AdapterError('temporary', `the account was not returned: ${answer.status}`)
}

function tokenCall(authUrl: string, token: string): Omit<HttpCall, 'signal'> {
  const { clientId, clientSecret } = readAvitoAccess(token)
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const body = { bytes: Buffer.from(form.toString()), contentType: 'application/x-www-form-urlencoded' }
  return { method: 'POST', url: `${authUrl}/token`, body }
}

/** @throws AdapterError where there is none */
function tokenIn(answer: HttpAnswer): Pick<Session, 'word' | 'until'> {
  const words = wordsOf(answer.text)
  const parsed = given.safeParse(words?.body)
  if (parsed.success) {
    const lifeMs = parsed.data.expires_in * 1000
    return { word: parsed.data.access_token, until: Date.now() + lifeMs - Math.min(MARGIN_MS, lifeMs / 10) }
  }
  if (answer.status === 429) throw new AdapterError('rate_limited', '429', retryAfterMs(answer.retryAfter))
  // A page instead of JSON comes from a proxy in front of Avito: it says nothing about the key.
  const isRefused = words !== null && answer.status < 500 && (answer.status >= 400 || words.detail !== '')
  if (isRefused) throw new AdapterError('unauthorized', `${answer.status} ${words.detail}`.trim())
  throw new AdapterError('temporary', `no access token: ${answer.status}`)
}
