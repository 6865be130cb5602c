// Results that are not live: of actions and of the sign-in service. Live data comes from convex.ts.
import { QueryClient, useQuery as useTanstackQuery } from '@tanstack/react-query'
import { isClientError } from '#web/lib/errors.ts'

const MINUTE_MS = 60_000

/** Client errors are not retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE_MS,
      gcTime: 10 * MINUTE_MS,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
      retry: (count, error) => !isClientError(error) && count < 3,
      retryDelay: (count) => Math.min(1000 * 2 ** count, 30_000),
    },
    mutations: { retry: 1, retryDelay: 1000 },
  },
})

export type Fetched<Value> = { value: Value | undefined; error: Error | null; isLoading: boolean; reload: () => void }

/** The result of `load`, cached for five minutes under `key`; `isFresh`: reloaded on every mount. Equal keys share one request. */
export function useFetched<Value>(
  key: readonly string[],
  load: () => Promise<Value>,
  options: { isEnabled?: boolean; isFresh?: boolean } = {},
): Fetched<Value> {
  const query = useTanstackQuery({
    queryKey: key,
    queryFn: load,
    enabled: options.isEnabled ?? true,
    ...(options.isFresh && { staleTime: 0 }),
  })
  return {
    value: query.data,
    error: query.error,
    isLoading: query.isPending && query.isFetching,
    reload: () => void query.refetch(),
  }
}

/** Reloads the results under a key where they are in use. */
export function forgetFetched(key: readonly string[]): void {
  void queryClient.invalidateQueries({ queryKey: key })
}

/** Retries failed loads. */
export function refetchFailed(): void {
  void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
}
