// Above the inbox: how many calls of tools wait for the team to agree.
import { ShieldCheck } from 'lucide-react'
import { Link } from 'react-router'
import type { ToolApproval } from '#shared/tools/approvals.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Renders nothing while none waits. */
export function ApprovalsBar() {
  const { t } = useTranslation('conversations')
  const approvals: ToolApproval[] = useQuery(api.conversations.approvals.list, {}) ?? []
  const count = approvals.filter(({ status }) => status === 'waiting').length
  if (count === 0) return null
  return (
    <div className="border-border border-b px-3 py-2">
      <Button size="sm" className="bg-warning-soft text-warning-soft-foreground" asChild>
        <Link to={paths.approvals}>
          <ShieldCheck aria-hidden="true" />
          {t(($) => $.approvals.waiting, { count })}
        </Link>
      </Button>
    </div>
  )
}
