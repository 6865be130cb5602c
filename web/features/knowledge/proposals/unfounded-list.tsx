// Answers to customers that stated what their agents were not given.
import { useId } from 'react'
import { Link } from 'react-router'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { UnfoundedAnswers } from '#shared/knowledge/review.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Live, newest first, each linking to its conversation. Renders nothing when there are none. */
export function UnfoundedList({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('proposals')
  const titleId = useId()
  const answers: UnfoundedAnswers | undefined = useQuery(api.knowledge.review.unfounded, {
    knowledgeSpaceId: space._id,
  })
  if (!answers || answers.count === 0) return null
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <div>
        <h2 id={titleId} className="font-semibold text-base">
          {answers.isMore
            ? t(($) => $.unfounded.titleMore, { count: answers.count })
            : t(($) => $.unfounded.title, { count: answers.count })}
        </h2>
        <p className="text-muted-foreground">{t(($) => $.unfounded.lead)}</p>
      </div>
      <Card>
        <ul className="divide-y divide-border">
          {answers.newest.map(({ messageId, conversationId, agentName, sentences, answeredAt }) => (
            <li key={messageId} className="px-4 py-3">
              <Link
                to={paths.conversation(conversationId)}
                className="break-words font-medium underline-offset-4 hover:underline"
              >
                {sentences.join(' ')}
              </Link>
              <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground">
                <span>{agentName}</span>
                <RelativeTime at={answeredAt} />
              </p>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
