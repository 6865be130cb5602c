// The realtime connection and the hooks through which features use it. No feature imports convex/react.
// A call refused as unauthenticated is retried once after a forced token refresh.

import type { OptimisticUpdate } from 'convex/browser'
import {
  ConvexReactClient,
  type OptionalRestArgsOrSkip,
  useConvexConnectionState,
  usePaginatedQuery as useConvexPaginatedQuery,
  useQueries,
} from 'convex/react'
import { type FunctionReference, type FunctionReturnType, getFunctionName, type OptionalRestArgs } from 'convex/server'
import { convexToJson } from 'convex/values'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { TOKEN_REFRESH_LEEWAY_SECONDS } from '#shared/limits.ts'
import { isOutage, isUnauthenticated } from '#web/lib/errors.ts'
import { createTokenSource } from '#web/lib/sign-in/access-token.ts'
import { toast } from '#web/lib/toast.ts'
import { reportConnection } from './connection-metrics.ts'
import { refuseDuringOutage, suspectOutage } from './database-health.ts'
import { waitThroughOutages } from './patient-queries.ts'
import { serverOrigin } from './server-address.ts'

/** Opens its websocket on first use, so the sign-in page has none. It warns on leaving with unfinished requests. */
export const convexClient = waitThroughOutages(
  new ConvexReactClient(serverOrigin, {
    authRefreshTokenLeewaySeconds: TOKEN_REFRESH_LEEWAY_SECONDS,
    expectAuth: true,
    initialAuthTokenReuse: true,
    skipConvexDeploymentUrlCheck: true,
    unsavedChangesWarning: true,
  }),
)

const tokens = createTokenSource()
let mustForceToken = false
let authListener: (isAuthenticated: boolean) => void = () => {}
let authAnswers: (() => void)[] = []
let stopReports: (() => void) | null = null

/** The token for HTTP requests, such as uploads; null without a session. */
export function accessToken(): Promise<string | null> {
  return tokens.get()
}

/** Signs the connection in. `onChange` receives true when the server has accepted the token, false when the session has ended. */
export function startAuth(onChange: (isAuthenticated: boolean) => void): void {
  authListener = onChange
  stopReports ??= reportConnection(convexClient)
  convexClient.setAuth(fetchToken, (isAuthenticated) => {
    authListener(isAuthenticated)
    const answers = authAnswers
    authAnswers = []
    for (const answer of answers) answer()
  })
}

/** Signs the connection out and drops the token. */
export function stopAuth(): void {
  authListener = () => {}
  stopReports?.()
  stopReports = null
  tokens.forget()
  convexClient.clearAuth()
}

/** Ignores the loss of the session during a sign-out. The result reverts it, for a sign-out that failed. */
export function muteAuth(): () => void {
  const listener = authListener
  authListener = () => {}
  return () => {
    authListener = listener
  }
}

/** Fetches a new token and signs the connection in with it; resolves when the server has answered. */
export function refreshAuth(): Promise<void> {
  return new Promise((resolve) => {
    authAnswers.push(resolve)
    mustForceToken = true
    startAuth(authListener)
  })
}

function fetchToken({ forceRefreshToken }: { forceRefreshToken: boolean }): Promise<string | null> {
  const isForced = forceRefreshToken || mustForceToken
  mustForceToken = false
  return tokens.get({ forceRefreshToken: isForced })
}

/**
 * The live result of a query; undefined while loading or when the arguments are `'skip'`. During a database outage the last result.
 *
 * @throws the query's error while rendering, for the error boundary of the page
 */
export function useQuery<Query extends FunctionReference<'query'>>(
  query: Query,
  ...[args]: OptionalRestArgsOrSkip<Query>
): FunctionReturnType<Query> | undefined {
  const name = getFunctionName(query)
  const argsKey = args === 'skip' ? 'skip' : JSON.stringify(convexToJson(args ?? {}))
  const current = useRef({ query, args })
  current.current = { query, args }
  const requests = useMemo(() => {
    void name
    if (argsKey === 'skip') return {}
    return { result: { query: current.current.query, args: (current.current.args ?? {}) as Record<string, never> } }
  }, [name, argsKey])
  const result: unknown = useQueries(requests).result
  const isRetrying = useRetryOnce(result)
  if (result instanceof Error) {
    if (isRetrying) return undefined
    throw result
  }
  return result as FunctionReturnType<Query> | undefined
}

/** Whether an unauthenticated result is being retried; afterwards it is final. */
function useRetryOnce(result: unknown): boolean {
  const [retry, setRetry] = useState<'unused' | 'running' | 'used'>('unused')
  const isRefused = isUnauthenticated(result)
  useEffect(() => {
    if (!isRefused || retry !== 'unused') return
    setRetry('running')
    void refreshAuth().then(() => setRetry('used'))
  }, [isRefused, retry])
  return isRefused && retry !== 'used'
}

/** Pages of a live list: `results`, `status` and `loadMore(count)`. */
export const usePaginatedQuery = useConvexPaginatedQuery

/** The current result of a query, not live. */
export function fetchOnce<Query extends FunctionReference<'query'>>(
  query: Query,
  ...args: OptionalRestArgs<Query>
): Promise<FunctionReturnType<Query>> {
  return retryAfterRefresh(() => convexClient.query(query, ...args))
}

type CallOptions = {
  /** Failures show as a toast unless the caller shows them in place (`false`). They always reject as well. */
  hasToast?: boolean
}
type MutationOptions<Mutation extends FunctionReference<'mutation'>> = CallOptions & {
  /** Shows the change at once; reverted when the mutation fails. */
  optimisticUpdate?: OptimisticUpdate<Mutation['_args']>
}

/** A function that runs a mutation. It is stable between renders. */
export function useMutation<Mutation extends FunctionReference<'mutation'>>(
  mutation: Mutation,
  { hasToast = true, optimisticUpdate }: MutationOptions<Mutation> = {},
): (...args: OptionalRestArgs<Mutation>) => Promise<FunctionReturnType<Mutation>> {
  const latest = useRef({ mutation, optimisticUpdate })
  latest.current = { mutation, optimisticUpdate }
  return useCallback(
    (...[args]) =>
      call(hasToast, () =>
        convexClient.mutation(latest.current.mutation, args ?? {}, {
          optimisticUpdate: latest.current.optimisticUpdate,
        }),
      ),
    [hasToast],
  )
}

/** A function that runs an action. It is stable between renders. */
export function useAction<Action extends FunctionReference<'action'>>(
  action: Action,
  { hasToast = true }: CallOptions = {},
): (...args: OptionalRestArgs<Action>) => Promise<FunctionReturnType<Action>> {
  const latest = useRef(action)
  latest.current = action
  return useCallback((...[args]) => call(hasToast, () => convexClient.action(latest.current, args ?? {})), [hasToast])
}

async function call<Result>(hasToast: boolean, run: () => Promise<Result>): Promise<Result> {
  try {
    const refusal = refuseDuringOutage()
    if (refusal) await refusal // otherwise synchronous: an optimistic update must not wait
    return await retryAfterRefresh(run)
  } catch (error) {
    if (isOutage(error)) suspectOutage()
    if (hasToast) toast.failure(error)
    throw error
  }
}

/** Runs a call, and once more with a new token when it is refused as unauthenticated. */
export async function retryAfterRefresh<Result>(run: () => Promise<Result>, refresh = refreshAuth): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isUnauthenticated(error)) throw error
    await refresh()
    return run()
  }
}

/** Skips the delay before the next connection attempt: the client takes this event as "the network is back". */
export function reconnectNow(): void {
  window.dispatchEvent(new Event('online'))
}

/** Whether the websocket is open now, and whether it ever was. */
export function useConnection(): { isConnected: boolean; hasEverConnected: boolean } {
  const { isWebSocketConnected, hasEverConnected } = useConvexConnectionState()
  return { isConnected: isWebSocketConnected, hasEverConnected }
}
