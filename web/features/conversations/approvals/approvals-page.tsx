// /chats/approvals: calls of tools that wait for the team to agree, and what was decided lately.
import { ShieldCheck } from 'lucide-react'
import { Link } from 'react-router'
import type { ToolApproval } from '#shared/tools/approvals.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Card, CardSection } from '#web/components/ui/card.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { ApprovalCard } from './approval-card.tsx'

/** Live. */
export function ApprovalsPage() {
  const { t } = useTranslation('conversations')
  const approvals: ToolApproval[] | undefined = useQuery(api.conversations.approvals.list, {})
  return (
    <Page
      title={t(($) => $.approvals.title)}
      description={t(($) => $.approvals.description)}
      width="narrow"
      actions={
        <Button asChild>
          <Link to={paths.chats}>{t(($) => $.approvals.back)}</Link>
        </Button>
      }
    >
      {approvals ? <Lists approvals={approvals} /> : <Skeleton className="h-40" />}
    </Page>
  )
}

function Lists({ approvals }: { approvals: ToolApproval[] }) {
  const { t } = useTranslation('conversations')
  const waiting = approvals.filter(({ status }) => status === 'waiting')
  const decided = approvals.filter(({ status }) => status !== 'waiting')
  return (
    <>
      {waiting.length === 0 ? (
        <EmptyState
          icon={ShieldCheck}
          title={t(($) => $.approvals.none)}
          description={t(($) => $.approvals.noneBody)}
          action={
            <Button asChild>
              <Link to={paths.tools}>{t(($) => $.approvals.toTools)}</Link>
            </Button>
          }
        />
      ) : (
        <ul className="flex flex-col gap-4">
          {waiting.map((approval) => (
            <li key={approval._id}>
              <Card className="p-5">
                <ApprovalCard approval={approval} />
              </Card>
            </li>
          ))}
        </ul>
      )}
      {decided.length > 0 && (
        <CardSection title={t(($) => $.approvals.recent)}>
          <ul className="flex flex-col divide-y divide-border">
            {decided.map((approval) => (
              <li key={approval._id} className="py-4 first:pt-0 last:pb-0">
                <ApprovalCard approval={approval} />
              </li>
            ))}
          </ul>
        </CardSection>
      )}
    </>
  )
}
