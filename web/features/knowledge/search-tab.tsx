// "Try a question": the search that agents use, with what it found and why.
import { MessageCircleQuestion } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useId, useState } from 'react'
import type { KnowledgeSpace, SearchResponse, SearchResult } from '#shared/knowledge.ts'
import { api } from '#web/api.ts'
import { PassageViewer } from '#web/components/passages/passage-viewer.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { SearchResults } from './search-results.tsx'

/** The question is in the URL (`?q=`), so a link restores it; its results follow the documents. */
export function SearchTab({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const [question, setQuestion] = useQueryState('q', parseAsString.withDefault(''))
  const [typed, setTyped] = useState(question)
  const [opened, setOpened] = useState<SearchResult | null>(null)
  const answer: SearchResponse | undefined = useQuery(
    api.knowledge.search.explain,
    question ? { knowledgeSpaceId: space._id, query: question } : 'skip',
  )
  const fieldId = useId()
  return (
    <div className="flex flex-col gap-5">
      <form
        className="flex flex-col gap-1.5"
        onSubmit={(event) => {
          event.preventDefault()
          void setQuestion(typed.trim() || null)
        }}
      >
        <label htmlFor={fieldId} className="font-medium">
          {t(($) => $.search.label)}
        </label>
        <div className="flex gap-2">
          <Input
            id={fieldId}
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder={t(($) => $.search.placeholder)}
          />
          <Button type="submit" variant="primary" disabled={typed.trim() === ''}>
            {t(($) => $.search.run)}
          </Button>
        </div>
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.search.hint)}</p>
      </form>
      {!question && (
        <EmptyState
          icon={MessageCircleQuestion}
          title={t(($) => $.search.idleTitle)}
          description={t(($) => $.search.idleBody)}
        />
      )}
      {question && !answer && (
        <Delayed>
          <Skeleton className="h-40 rounded-xl" />
        </Delayed>
      )}
      {answer && <SearchResults answer={answer} onOpen={setOpened} />}
      <PassageViewer
        source={
          opened && {
            documentId: opened.documentId,
            name: opened.metadata.source,
            chunkId: opened.id,
            excerpt: opened.content,
          }
        }
        onClose={() => setOpened(null)}
      />
    </div>
  )
}
