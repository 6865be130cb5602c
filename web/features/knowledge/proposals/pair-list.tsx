// Passages of a space that contradict or repeat each other, side by side.
import { CheckCheck } from 'lucide-react'
import { useId, useRef } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { KnowledgePair } from '#shared/knowledge/review.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { PairCard } from './pair-card.tsx'

/** Live, what concerns most conversations first. A decision takes the pair away and leaves the keyboard at the top of the list. */
export function PairList({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('proposals')
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const pairs: KnowledgePair[] | undefined = useQuery(api.knowledge.review.pairs, { knowledgeSpaceId: space._id })
  if (!pairs) {
    return (
      <Delayed>
        <Skeleton className="h-32 rounded-xl" />
      </Delayed>
    )
  }
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <div>
        <h2 id={titleId} ref={title} tabIndex={-1} className="font-semibold text-base">
          {t(($) => $.pairs.title)}
        </h2>
        <p className="text-muted-foreground">{t(($) => $.pairs.lead)}</p>
      </div>
      {pairs.length === 0 ? (
        <EmptyState icon={CheckCheck} title={t(($) => $.pairs.emptyTitle)} description={t(($) => $.pairs.emptyBody)} />
      ) : (
        <ul className="flex flex-col gap-4">
          {pairs.map((pair) => (
            <li key={pair._id}>
              <PairCard pair={pair} onDecided={() => title.current?.focus()} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
