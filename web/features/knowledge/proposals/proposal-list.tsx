// The proposed notes of a space, one card each.
import { MessagesSquare } from 'lucide-react'
import { useId, useRef } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { Proposal } from '#shared/knowledge/proposals.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { ProposalCard } from './proposal-card.tsx'

/** Live, what most conversations have asked for first. A decision takes the card away and leaves the keyboard at the top of the list. */
export function ProposalList({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('proposals')
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const proposals: Proposal[] | undefined = useQuery(api.knowledge.proposals.list, { knowledgeSpaceId: space._id })
  if (!proposals) {
    return (
      <Delayed>
        <Skeleton className="h-48 rounded-xl" />
      </Delayed>
    )
  }
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <div>
        <h2 id={titleId} ref={title} tabIndex={-1} className="font-semibold text-base">
          {t(($) => $.title)}
        </h2>
        <p className="text-muted-foreground">{t(($) => $.lead)}</p>
      </div>
      {proposals.length === 0 ? (
        <EmptyState icon={MessagesSquare} title={t(($) => $.emptyTitle)} description={t(($) => $.emptyBody)} />
      ) : (
        <ul className="flex flex-col gap-4">
          {proposals.map((proposal) => (
            <li key={proposal._id}>
              <ProposalCard proposal={proposal} onDecided={() => title.current?.focus()} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
