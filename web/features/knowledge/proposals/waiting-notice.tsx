// On the hub of knowledge: how many proposed notes wait, and where.
import { Link } from 'react-router'
import type { WaitingProposals } from '#shared/knowledge/proposals.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Renders nothing while nothing waits. */
export function WaitingNotice() {
  const { t } = useTranslation('proposals')
  const waiting: WaitingProposals[] | undefined = useQuery(api.knowledge.proposals.waiting, {})
  if (!waiting || waiting.length === 0) return null
  const count = waiting.reduce((sum, space) => sum + space.waiting, 0)
  return (
    <Alert title={t(($) => $.waiting.title, { count })}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {waiting.map((space) => (
          <li key={space.knowledgeSpaceId}>
            <Link to={`${paths.space(space.slug)}?part=review`} className="underline underline-offset-4">
              {t(($) => $.waiting.space, { name: space.name, count: space.waiting })}
            </Link>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
