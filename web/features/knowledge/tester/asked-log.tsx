// What agents have looked up in a space, newest first.
import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { FoundSource, KnowledgeQuery } from '#shared/knowledge/knowledge-queries.ts'
import { QUERY_LOG_DAYS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { PassageViewer } from '#web/components/passages/passage-viewer.tsx'
import type { ViewedSource } from '#web/components/passages/viewed-source.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatScore } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'

const PAGE_SIZE = 30

/** Live. A question can be tried again as the knowledge is now. */
export function AskedLog({ space, onTry }: { space: KnowledgeSpace; onTry: (question: string) => void }) {
  const { t } = useTranslation('rag-tester')
  const { results, status, loadMore } = usePaginatedQuery(
    api.knowledge.queries.list,
    { knowledgeSpaceId: space._id },
    { initialNumItems: PAGE_SIZE },
  )
  const queries: KnowledgeQuery[] = results
  const [opened, setOpened] = useState<ViewedSource | null>(null)
  if (status === 'LoadingFirstPage') {
    return (
      <Delayed>
        <Skeleton className="h-48 rounded-xl" />
      </Delayed>
    )
  }
  if (queries.length === 0) {
    return (
      <EmptyState icon={MessagesSquare} title={t(($) => $.log.emptyTitle)} description={t(($) => $.log.emptyBody)} />
    )
  }
  return (
    <section aria-label={t(($) => $.log.title)} className="flex flex-col gap-4">
      <p className="text-muted-foreground">{t(($) => $.log.hint, { count: QUERY_LOG_DAYS })}</p>
      <Card>
        <ul className="divide-y divide-border">
          {queries.map((query) => (
            <AskedRow
              key={`${query.turnId} ${query.position}`}
              asked={query}
              onTry={() => onTry(query.query)}
              onOpen={(found) => setOpened({ ...found, name: found.source, about: query.query })}
            />
          ))}
        </ul>
      </Card>
      <PassageViewer source={opened} onClose={() => setOpened(null)} />
      {status !== 'Exhausted' && (
        <Button className="self-center" isBusy={status === 'LoadingMore'} onClick={() => loadMore(PAGE_SIZE)}>
          {t(($) => $.log.more)}
        </Button>
      )}
    </section>
  )
}

type AskedRowProps = { asked: KnowledgeQuery; onTry: () => void; onOpen: (found: FoundSource) => void }

function AskedRow({ asked, onTry, onOpen }: AskedRowProps) {
  const { t } = useTranslation('rag-tester')
  const { query, position, isWeak, channel, conversationId, askedAt } = asked
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          onClick={onTry}
          title={t(($) => $.log.tryIt)}
          className="min-w-0 max-w-full break-words text-start font-medium underline-offset-4 hover:underline"
        >
          {query}
        </button>
        {isWeak && <Badge tone="warning">{t(($) => $.log.weak)}</Badge>}
        <span className="ms-auto flex flex-wrap gap-x-3 text-muted-foreground text-xs">
          {position > 0 && <span>{t(($) => $.log.byModel)}</span>}
          <RelativeTime at={askedAt} />
          {channel === 'test' ? (
            <span>{t(($) => $.log.test)}</span>
          ) : (
            <Link to={paths.conversation(conversationId)} className="text-primary underline-offset-4 hover:underline">
              {t(($) => $.log.conversation)}
            </Link>
          )}
        </span>
      </div>
      <Found asked={asked} onOpen={onOpen} />
    </li>
  )
}

function Found({ asked: { found }, onOpen }: Pick<AskedRowProps, 'asked' | 'onOpen'>) {
  const { t } = useTranslation('rag-tester')
  if (found.length === 0) return <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.log.nothing)}</p>
  return (
    <ol className="flex flex-wrap gap-x-4 text-[0.8125rem] text-muted-foreground">
      {found.map((each) => (
        <li key={each.chunkId} className="tabular-nums">
          <button
            type="button"
            onClick={() => onOpen(each)}
            aria-label={t(($) => $.results.open, { name: each.source })}
            className="min-h-6 underline-offset-4 hover:underline"
          >
            {each.source}
            {each.page !== null && `, ${t(($) => $.results.page, { page: each.page })}`} ({formatScore(each.score)})
          </button>
        </li>
      ))}
    </ol>
  )
}
