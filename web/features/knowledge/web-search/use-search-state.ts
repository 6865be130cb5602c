// The current state of web search for a space: the provider, and today's usage.
import { useCallback, useEffect, useState } from 'react'
import type { WebSearchState } from '#shared/agents/web-search.ts'
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** Undefined until the server has answered. `refresh` requests it again; until the response the old state stays. */
export function useSearchState(knowledgeSpaceId: Id<'knowledgeSpaces'>) {
  const ask = useAction(api.knowledge.webSearch.state)
  const [state, setState] = useState<WebSearchState>()
  const refresh = useCallback(() => {
    ask({ knowledgeSpaceId }).then(setState, () => undefined) // reported in a toast
  }, [ask, knowledgeSpaceId])
  useEffect(refresh, [refresh])
  return { state, refresh }
}
