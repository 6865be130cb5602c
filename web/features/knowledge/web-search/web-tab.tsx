// The web as a source of a space: whether agents search it, where, how often, what a search finds, and the sites taken in whole.

import type { WebSearchSettings } from '#shared/agents/web-search.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useQuery } from '#web/lib/server/convex.ts'
import { DomainList } from './domain-list.tsx'
import { SearchSettings } from './search-settings.tsx'
import { SiteList } from './sites/site-list.tsx'
import { TestQuery } from './test-query.tsx'
import { useSearchState } from './use-search-state.ts'

/** Live, but for what is used up today: that is asked again after each test. */
export function WebTab({ space }: { space: KnowledgeSpace }) {
  const settings: WebSearchSettings | undefined = useQuery(api.knowledge.webSearch.get, { knowledgeSpaceId: space._id })
  const { state, refresh } = useSearchState(space._id)
  if (!settings || !state) {
    return (
      <Delayed>
        <Skeleton className="h-64 rounded-xl" />
      </Delayed>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <SearchSettings settings={settings} state={state} />
      <DomainList settings={settings} />
      <TestQuery settings={settings} state={state} onSearched={refresh} />
      <SiteList space={space} />
    </div>
  )
}
