// The last attempts to reach a program, and the way to repeat one that was given up.
import { Link } from 'react-router'
import type { ChannelConnection, DeliveryAttempt } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { toast } from '#web/lib/toast.ts'

const TONES = { sent: 'success', queued: 'warning', failed: 'destructive', unknown: 'warning' } as const
const CELL = 'px-3 py-2'

/** Live, newest first. */
export function HttpLogSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const attempts: DeliveryAttempt[] | undefined = useQuery(api.channels.http.deliveries, {
    connectionId: connection._id,
  })
  return (
    <CardSection title={t(($) => $.httpLog.title)} description={t(($) => $.httpLog.body)}>
      {attempts?.length === 0 && <p className="text-muted-foreground">{t(($) => $.httpLog.empty)}</p>}
      {attempts && attempts.length > 0 && <AttemptTable attempts={attempts} />}
    </CardSection>
  )
}

function AttemptTable({ attempts }: { attempts: DeliveryAttempt[] }) {
  const { t } = useTranslation('channels')
  const heads = [
    t(($) => $.httpLog.time),
    t(($) => $.httpLog.result),
    t(($) => $.httpLog.latency),
    t(($) => $.httpLog.reason),
  ]
  return (
    <section
      aria-label={t(($) => $.httpLog.label)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-lg border border-border"
    >
      <table className="w-full text-start text-[0.8125rem]">
        <thead className="bg-muted text-muted-foreground">
          <tr>
            {heads.map((head) => (
              <th key={head} className={`${CELL} text-start font-medium`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {attempts.map((attempt) => (
            <AttemptRow key={attempt._id} attempt={attempt} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function AttemptRow({ attempt }: { attempt: DeliveryAttempt }) {
  const { t } = useTranslation('channels')
  const mayResend = useMay('inbox.write')
  return (
    <tr className="align-top">
      <td className={`${CELL} whitespace-nowrap`}>
        <RelativeTime at={attempt.at} />
        <p className="text-muted-foreground">
          {attempt.conversationId ? (
            <Link
              to={paths.conversation(attempt.conversationId)}
              className="text-primary underline-offset-4 hover:underline"
            >
              {t(($) => $.httpLog.open)}
            </Link>
          ) : (
            t(($) => $.httpLog.test)
          )}
        </p>
      </td>
      <td className={`${CELL} whitespace-nowrap`}>
        <Badge tone={TONES[attempt.outcome]}>{t(($) => $.httpLog.outcome[attempt.outcome])}</Badge>
        <p className="mt-1 text-muted-foreground">
          {attempt.httpStatus ?? t(($) => $.httpLog.noAnswer)}
          {attempt.attempt > 1 && ` · ${t(($) => $.httpLog.attempt, { number: String(attempt.attempt) })}`}
        </p>
      </td>
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>
        {t(($) => $.httpLog.ms, { ms: String(attempt.latencyMs) })}
      </td>
      <td className={CELL}>
        <p className="break-words">{attempt.reason}</p>
        {attempt.resendId && mayResend && <ResendButton outboxId={attempt.resendId} />}
      </td>
    </tr>
  )
}

function ResendButton({ outboxId }: { outboxId: Id<'outbox'> }) {
  const { t } = useTranslation('channels')
  const resend = useMutation(api.conversations.resend)
  return (
    <Button
      // Who answers customers may repeat an answer, whether or not they may change the connection.
      isForReading
      size="sm"
      className="mt-1"
      onClick={() =>
        resend({ outboxId }).then(
          () => toast.success(t(($) => $.httpLog.resent)),
          () => undefined, // the toast shows the error
        )
      }
    >
      {t(($) => $.httpLog.resend)}
    </Button>
  )
}
