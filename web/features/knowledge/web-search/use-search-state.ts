// What holds right now for searches of a space: the provider, and how many are used up today.
import { useCallback, useEffect, useState } from 'react'
import type { WebSearchState } from '#shared/agents/web-search.ts'
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** Undefined until the server has answered. `refresh` asks again; until the answer the old state stays. */
export function useSearchState(knowledgeSpaceId: Id<'knowledgeSpaces'>) {
  const ask = useAction(api.knowledge.webSearch.state)
  const [state, setState] = useState<WebSearchState>()
  const refresh = useCallback(() => {
    ask({ knowledgeSpaceId }).then(setState, () => undefined) // the toast has told
  }, [ask, knowledgeSpaceId])
  useEffect(refresh, [refresh])
  return { state, refresh }
}
