// Questions of customers for which little was found, with a note as the way to close them.
import { CircleCheck, NotebookPen } from 'lucide-react'
import { useState } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { KnowledgeGap } from '#shared/knowledge/knowledge-queries.ts'
import { KNOWLEDGE_GAPS_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { NoteDialog } from '../notes/note-dialog.tsx'
import { noteFor } from './gap.rules.ts'

const PAGE_SIZE = 50

/** The most frequent first, live. A gap leaves the list with its note. */
export function GapList({ space, onTry }: { space: KnowledgeSpace; onTry: (question: string) => void }) {
  const { t } = useTranslation('rag-tester')
  const [limit, setLimit] = useState(PAGE_SIZE)
  const { gaps, isLoading } = useGaps(space, limit)
  const settle = useMutation(api.knowledge.queries.settle)
  const [closing, setClosing] = useState<KnowledgeGap | null>(null)
  if (!gaps) {
    return (
      <Delayed>
        <Skeleton className="h-48 rounded-xl" />
      </Delayed>
    )
  }
  const remove = ({ gist }: KnowledgeGap) => settle({ gist, knowledgeSpaceId: space._id })
  return (
    <section aria-label={t(($) => $.gaps.title)} className="flex flex-col gap-4">
      {gaps.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t(($) => $.gaps.emptyTitle)} description={t(($) => $.gaps.emptyBody)} />
      ) : (
        <>
          <p className="text-muted-foreground">{t(($) => $.gaps.hint)}</p>
          <Card>
            <ol className="divide-y divide-border">
              {gaps.map((gap) => (
                <GapRow
                  key={gap.gist}
                  gap={gap}
                  onTry={() => onTry(gap.query)}
                  onNote={() => setClosing(gap)}
                  onDismiss={() => void remove(gap).then(() => toast.success(t(($) => $.gaps.dismissed)))}
                />
              ))}
            </ol>
          </Card>
          {(isLoading || (gaps.length === limit && limit < KNOWLEDGE_GAPS_MAX)) && (
            <Button
              className="self-center"
              isBusy={isLoading}
              onClick={() => setLimit(Math.min(limit + PAGE_SIZE, KNOWLEDGE_GAPS_MAX))}
            >
              {t(($) => $.gaps.more)}
            </Button>
          )}
        </>
      )}
      {closing && (
        <NoteDialog
          space={space}
          note={undefined}
          draft={noteFor(closing)}
          onClose={() => setClosing(null)}
          onSaved={() => void remove(closing)}
        />
      )}
    </section>
  )
}

type GapRowProps = { gap: KnowledgeGap; onTry: () => void; onNote: () => void; onDismiss: () => void }

function GapRow({ gap, onTry, onNote, onDismiss }: GapRowProps) {
  const { t } = useTranslation('rag-tester')
  const { query, count, conversations, lastAskedAt } = gap
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <button
          type="button"
          onClick={onTry}
          title={t(($) => $.log.tryIt)}
          className="max-w-full break-words text-start font-medium underline-offset-4 hover:underline"
        >
          {query}
        </button>
        <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground">
          <span>
            {t(($) => $.gaps.asked, { count })} {t(($) => $.gaps.conversations, { count: conversations })}
          </span>
          <RelativeTime at={lastAskedAt} />
        </p>
      </div>
      <Button size="sm" aria-label={t(($) => $.gaps.addNoteFor, { question: query })} onClick={onNote}>
        <NotebookPen aria-hidden="true" />
        {t(($) => $.gaps.addNote)}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={t(($) => $.gaps.dismissFor, { question: query })}
        onClick={onDismiss}
      >
        {t(($) => $.gaps.dismiss)}
      </Button>
    </li>
  )
}

/** More of them take their place when they are there. */
function useGaps(space: KnowledgeSpace, limit: number) {
  const found: KnowledgeGap[] | undefined = useQuery(api.knowledge.queries.gaps, { knowledgeSpaceId: space._id, limit })
  const [shown, setShown] = useState(found)
  if (found && found !== shown) setShown(found)
  return { gaps: found ?? shown, isLoading: !found }
}
