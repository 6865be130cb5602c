// One call of Avito's API with a deadline and an access token. The token travels in a header and is in no text made here.
import type { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import {
  createHttpClient,
  type HttpAnswer,
  type HttpCall,
  NotConnectedError,
} from '#server/integrations/http/http-client.ts'
import { refusedBy, wordsOf } from './avito.refusals.ts'
import { type Account, createSessions, type Session } from './avito.sessions.ts'

export type AvitoCall = {
  verb?: 'GET' | 'POST'
  /** Relative to the API's address, with a leading slash; `{user_id}` stands for the account. */
  path: string
  body?: object | FormData
  signal?: AbortSignal
}
/** Runs a call for a connection and checks its answer. @throws AdapterError; when `signal` aborts, its reason */
export type Ask = <T>(token: string, call: AvitoCall, schema: z.ZodType<T>) => Promise<T>

export interface AvitoApi {
  ask: Ask
  /** The account of a key, if the key is accepted now. @throws AdapterError */
  account(token: string): Promise<Account>
}

export type AvitoApiOptions = { apiUrl: string; authUrl: string; timeoutMs: number }

/** Stands for the account in a path. */
const ACCOUNT = '{user_id}'

/** A caller with connections and access tokens of its own. */
export function createAvitoApi({ apiUrl, authUrl, timeoutMs }: AvitoApiOptions): AvitoApi {
  const send = createHttpClient()
  const timely = (call: Omit<HttpCall, 'signal'>) => send({ ...call, signal: AbortSignal.timeout(timeoutMs) })
  const sessions = createSessions(authUrl, timely)

  async function request(
    session: Session,
    { verb: method = 'GET', path, body, signal }: AvitoCall,
  ): Promise<HttpAnswer> {
    const deadline = AbortSignal.timeout(timeoutMs)
    const headers = { authorization: `Bearer ${session.word}` }
    const sent = body === undefined ? {} : { body: await bodyOf(body) }
    try {
      const within = signal ? AbortSignal.any([signal, deadline]) : deadline
      return await send({
        method,
        url: apiUrl + path.replace(ACCOUNT, String(session.account.id)),
        headers,
        ...sent,
        signal: within,
      })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof NotConnectedError) throw new AdapterError('temporary', `not connected: ${error.code}`)
      throw new AdapterError('unknown_outcome', 'no answer from Avito')
    }
  }

  const ask: Ask = async (token, call, schema) => {
    const session = await sessions.of(token)
    let answer = await request(session, call)
    if (answer.status === 401) {
      // The token may have been revoked early. A refused call had no effect, so it may be repeated.
      await sessions.refused(token, session)
      answer = await request(await sessions.of(token), call)
    }
    if (answer.status !== 200 && answer.status !== 201) throw refusedBy(answer)
    const checked = schema.safeParse(wordsOf(answer.text)?.body)
    if (!checked.success) throw new AdapterError('unknown_outcome', 'Avito answered something else')
    return checked.data
  }

  return { ask, account: async (token) => (await sessions.renew(token)).account }
}

async function bodyOf(body: object | FormData): Promise<Exclude<HttpCall['body'], undefined>> {
  if (!(body instanceof FormData)) return JSON.stringify(body)
  const form = new Response(body)
  return {
    contentType: form.headers.get('content-type') ?? 'multipart/form-data',
    bytes: new Uint8Array(await form.arrayBuffer()),
  }
}
