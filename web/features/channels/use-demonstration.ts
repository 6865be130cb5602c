// Where a demonstration lets people play what is outside.
import type { Demonstration } from '#shared/demonstration.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/convex.ts'
import { useFetched } from '#web/lib/query-client.ts'

/** Null wherever this is no demonstration, and until it is known. */
export function useDemonstration(): Demonstration | null {
  const ask = useAction(api.channelConnections.demonstration, { hasToast: false })
  return useFetched(['demonstration'], () => ask({})).value ?? null
}

/** The page with a choice made on it. */
export function pageWith(page: string, choice: Record<string, string>): string {
  return `${page}?${new URLSearchParams(choice)}`
}
