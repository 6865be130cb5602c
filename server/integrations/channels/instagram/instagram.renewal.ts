// The token of an account is valid for sixty days, and can be renewed until it expires.
// @source developers.facebook.com/docs/instagram-platform/reference/refresh_access_token
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { createHttpClient, NotConnectedError } from '#server/integrations/http/http-client.ts'
import { instagramToken, readInstagramAccess } from './instagram.access.ts'

const DAY_MS = 24 * 3_600_000
/** Meta does not renew a token younger than a day. The age of an entered token is not known. */
export const RENEW_FIRST_MS = 2 * DAY_MS
const RENEW_AGAIN_MS = 20 * DAY_MS

const renewed = z.object({ access_token: z.string().min(1) })
const refusal = z.object({ error: z.object({ code: z.number() }) })

/** Renews the token of a connection when its time has come; null: it has not. */
export function createRenewal(options: { url: string; timeoutMs: number }) {
  const send = createHttpClient()

  return async ({ token }: Credentials, now: number): Promise<{ token: string; tail: string } | null> => {
    const access = readInstagramAccess(token)
    if (access.renewAt > now) return null
    // This call accepts the token only in its address; failures are reported without the address.
    const query = new URLSearchParams({ grant_type: 'ig_refresh_token', access_token: access.accessToken })
    const url = `${options.url}/refresh_access_token?${query}`
    const signal = AbortSignal.timeout(options.timeoutMs)
    const answer = await send({ method: 'GET', url, signal }).catch((error: unknown) => {
      const code = error instanceof NotConnectedError ? `not connected: ${error.code}` : 'no answer from Meta'
      throw new AdapterError('temporary', code)
    })
    const body = parsed(answer.text)
    const { data } = renewed.safeParse(body)
    if (answer.status !== 200 || !data) throw refused(answer.status, body)
    const accessToken = data.access_token
    return { token: instagramToken({ ...access, accessToken, renewAt: now + RENEW_AGAIN_MS }), tail: accessToken }
  }
}

/** A failure loses nothing: the token stays valid for the rest of its lifetime. */
function refused(status: number, body: unknown): AdapterError {
  const code = refusal.safeParse(body).data?.error.code
  const isDead = status === 401 || code === 190
  return new AdapterError(isDead ? 'unauthorized' : 'temporary', `not renewed: ${status} ${code ?? ''}`.trim())
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
