// A call of a tool that waits for someone to agree, or what has become of it.
import { useState } from 'react'
import { Link } from 'react-router'
import type { ApprovalStatus, ToolApproval } from '#shared/tools/approvals.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatMoment } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { toast } from '#web/lib/toast.ts'

const TONES: Record<ApprovalStatus, 'warning' | 'neutral' | 'success' | 'destructive'> = {
  ...{ waiting: 'warning', approved: 'neutral', running: 'neutral', done: 'success', failed: 'destructive' },
  ...{ uncertain: 'warning', declined: 'neutral', withdrawn: 'neutral', expired: 'neutral' },
}

/** `isInConversation`: it stands in its conversation, which needs no link. */
export function ApprovalCard({
  approval,
  isInConversation = false,
}: {
  approval: ToolApproval
  isInConversation?: boolean
}) {
  const { t } = useTranslation('conversations')
  const { title, tool, status, agentName: agent, customerName, conversationId, askedAt } = approval
  const customer = customerName || t(($) => $.approvals.unnamed)
  return (
    <article aria-label={title} className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-semibold">{title}</h3>
        <Badge tone={TONES[status]}>{t(($) => $.approvals.status[status])}</Badge>
        <code className="text-muted-foreground text-xs">{tool}</code>
      </div>
      <Arguments approval={approval} />
      <p className="flex flex-wrap gap-x-3 gap-y-1 text-[0.8125rem] text-muted-foreground">
        <span>{t(($) => $.approvals.of, { agent, customer })}</span>
        <RelativeTime at={askedAt} />
        {!isInConversation && (
          <Link to={paths.conversation(conversationId)} className="text-primary hover:underline">
            {t(($) => $.approvals.open)}
          </Link>
        )}
      </p>
      <Outcome approval={approval} />
    </article>
  )
}

function Arguments({ approval: { arguments: given } }: { approval: ToolApproval }) {
  const { t } = useTranslation('conversations')
  const entries = Object.entries(given)
  if (entries.length === 0) {
    return <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.approvals.noArguments)}</p>
  }
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="whitespace-pre-wrap break-words font-medium">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What is to be done, or what was. */
function Outcome({ approval }: { approval: ToolApproval }) {
  const { t } = useTranslation('conversations')
  const { t: why } = useTranslation('why')
  const { by, status, failure, decidedBy: name, decidedAt, expiresAt } = approval
  const note = 'text-[0.8125rem] text-muted-foreground'
  if (status === 'waiting' && by === 'customer') return <p className={note}>{t(($) => $.approvals.byCustomer)}</p>
  if (status === 'waiting') {
    return (
      <>
        <Decision approval={approval} />
        <p className={note}>{t(($) => $.approvals.until, { time: formatMoment(expiresAt, Date.now()) })}</p>
      </>
    )
  }
  const isOwn = failure === 'tool_changed' || failure === 'tool_gone' || failure === 'customer_unknown'
  return (
    <>
      {failure && (
        <p className={note}>
          {isOwn || failure === 'day_limit'
            ? t(($) => $.approvals.failure[failure])
            : why(($) => $.tools.failure[failure])}
        </p>
      )}
      {status === 'uncertain' && <p className={note}>{t(($) => $.approvals.uncertainHint)}</p>}
      {name && decidedAt !== null && (
        <p className={note}>{t(($) => $.approvals.by, { name, time: formatMoment(decidedAt, Date.now()) })}</p>
      )}
    </>
  )
}

function Decision({ approval: { _id: approvalId } }: { approval: ToolApproval }) {
  const { t } = useTranslation('conversations')
  const approve = useMutation(api.conversations.approvals.approve)
  const decline = useMutation(api.conversations.approvals.decline)
  const [busy, setBusy] = useState<'approve' | 'decline' | null>(null)
  const decide = async (what: 'approve' | 'decline') => {
    setBusy(what)
    try {
      await (what === 'approve' ? approve : decline)({ approvalId })
      toast.success(what === 'approve' ? t(($) => $.approvals.approved) : t(($) => $.approvals.declined))
    } catch {
      // reported in a toast
    } finally {
      setBusy(null)
    }
  }
  return (
    <May need="inbox.write">
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          isBusy={busy === 'approve'}
          disabled={busy !== null}
          onClick={() => void decide('approve')}
        >
          {t(($) => $.approvals.approve)}
        </Button>
        <Button isBusy={busy === 'decline'} disabled={busy !== null} onClick={() => void decide('decline')}>
          {t(($) => $.approvals.decline)}
        </Button>
      </div>
    </May>
  )
}
