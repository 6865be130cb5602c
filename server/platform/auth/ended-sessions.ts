// Why a session ended, for whom holds its token still: the sign-in page names the reason.
import type { Database } from '#server/platform/db/database.ts'
import { hashOfToken } from './hashed-tokens.ts'
import { findEndReason, findSessionByToken } from './sessions.store.ts'

/** The header of an answer without a session that names why there is none. */
const REASON_HEADER = 'x-session-ended'

/** The token that a request brings, without its signature; undefined for none, and for several, of which the library might take another. */
export function sessionTokenOf({ headers }: { headers: Headers }): string | undefined {
  const bearer = /^Bearer ([A-Za-z0-9_-]+)(?:\.|%2E|$)/i.exec(headers.get('authorization') ?? '')?.[1]
  const cookies = `${headers.get('better-auth-cookie') ?? ''};${headers.get('cookie') ?? ''}`
  const inCookies = [...cookies.matchAll(/(?:^|;)\s*(?:__Secure-)?parley\.session_token=([A-Za-z0-9_-]+)/g)]
  const tokens = [bearer, ...inCookies.map((match) => match[1])].filter((token) => token !== undefined)
  return tokens.length === 1 ? tokens[0] : undefined
}

/** Whose session a request brings. Hooks run before bearer tokens and cookies of another origin are understood by the library. */
export async function findHolder(database: Database, headers: Headers | undefined) {
  const token = headers && sessionTokenOf({ headers })
  return token === undefined ? undefined : findSessionByToken(database.root, hashOfToken(token))
}

/** The answer of the sign-in service to a request without a valid session, with the reason where it is known. */
export async function withEndReason(database: Database, request: Request, answer: Response): Promise<Response> {
  const path = new URL(request.url).pathname
  const isRefused = path.endsWith('/token') && answer.status === 401
  if (!isRefused && !(path.endsWith('/get-session') && answer.ok)) return answer
  const token = sessionTokenOf(request)
  if (token === undefined) return answer
  if (!isRefused && (await answer.clone().text()) !== 'null') return answer
  const reason = await findEndReason(database.root, hashOfToken(token))
  if (!reason) return answer
  if (!isRefused) {
    answer.headers.set(REASON_HEADER, reason)
    return answer
  }
  // The cookie stays: another tab asks for the reason too.
  return Response.json({ code: 'SESSION_ENDED', reason }, { status: 401, headers: { 'cache-control': 'no-store' } })
}
