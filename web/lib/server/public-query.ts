// A query of a page that may be open without a session, where there is no realtime connection: one request over HTTP.

import { type FunctionReference, type FunctionReturnType, getFunctionName } from 'convex/server'
import { ConvexError, convexToJson, type Value } from 'convex/values'
import { HttpError } from '#web/lib/errors.ts'
import { atServer } from './server-address.ts'

/**
 * The result of a public query, asked by a stranger.
 *
 * @throws ConvexError as the server has put it, HttpError for any other refusal, an error of the network
 */
export async function queryOnce<Query extends FunctionReference<'query'>>(
  query: Query,
  args: Query['_args'],
): Promise<FunctionReturnType<Query>> {
  const response = await fetch(atServer('/api/query'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      path: getFunctionName(query),
      args: [convexToJson(args as Value)],
      format: 'convex_encoded_json',
    }),
  })
  const answer = (await response.json().catch(() => null)) as Answer | null
  if (answer?.status === 'success') return answer.value as FunctionReturnType<Query>
  if (answer?.errorData !== undefined) throw new ConvexError(answer.errorData)
  throw new HttpError(response.status, answer?.errorMessage ?? response.statusText, answer?.code ?? null)
}

type Answer = { status?: string; value?: unknown; errorData?: Value; errorMessage?: string; code?: string }
