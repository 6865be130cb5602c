// Background jobs: what waits in each queue, and what fails.
import type { FailingJob, Health, QueueHealth } from '#shared/organizations/health.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatLength, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { HealthSection, SubItem, SubList } from './health-section.tsx'
import { partsOfQueue } from './health-words.ts'
import { useBusy } from './use-busy.ts'

/** `onChange`: something was done that the page should show. */
export function QueuesSection({ health, onChange }: { health: Health; onChange: () => void }) {
  const { t } = useTranslation('admin')
  const { queues, failing, problems, at } = health
  return (
    <HealthSection name="queues" problems={problems}>
      {queues.length === 0 ? (
        <p className="text-muted-foreground">{t(($) => $.health.queues.none)}</p>
      ) : (
        <SubList title={t(($) => $.health.queues.list)}>
          {queues.map((queue) => (
            <Queue key={queue.name} queue={queue} at={at} />
          ))}
        </SubList>
      )}
      {failing.length > 0 && (
        <SubList title={t(($) => $.health.queues.failing)}>
          {failing.map((job) => (
            <Failing key={job.jobId} job={job} onChange={onChange} />
          ))}
        </SubList>
      )}
    </HealthSection>
  )
}

function QueueName({ queue }: { queue: string }) {
  const { t } = useTranslation('admin')
  const { area, name } = partsOfQueue(queue)
  return (
    <>
      <span className="font-medium">{t(($) => $.health.areas[area])}</span>{' '}
      <code className="break-all text-[0.8125rem] text-muted-foreground">{name}</code>
    </>
  )
}

function Queue({ queue: { name, waiting, running, failed, oldestAt }, at }: { queue: QueueHealth; at: number }) {
  const { t } = useTranslation('admin')
  const facts = [
    waiting > 0 && t(($) => $.health.queues.waiting, { count: waiting, value: formatNumber(waiting) }),
    oldestAt !== null && t(($) => $.health.queues.oldest, { length: formatLength(Math.max(0, at - oldestAt)) }),
    running > 0 && t(($) => $.health.queues.running, { count: running, value: formatNumber(running) }),
    failed > 0 && t(($) => $.health.queues.failed, { count: failed, value: formatNumber(failed) }),
  ]
  return <SubItem title={<QueueName queue={name} />} facts={facts} />
}

function Failing({ job, onChange }: { job: FailingJob; onChange: () => void }) {
  const { t } = useTranslation('admin')
  const retry = useMutation(api.admin.health.retryJob)
  const [isBusy, run] = useBusy()
  const { queue, jobId, attempts, failedAt, nextAt, cause } = job
  const again = async () => {
    await retry({ queue, jobId })
    toast.success(t(($) => $.health.queues.retried))
    onChange()
  }
  const facts = [
    <span key="cause" className="text-foreground">
      {t(($) => $.health.causes[cause.kind])}
      {cause.detail !== null && <code className="ms-1 break-all">{cause.detail}</code>}
    </span>,
    t(($) => $.health.queues.attempts, { count: attempts, value: formatNumber(attempts) }),
    failedAt !== null && <RelativeTime key="at" at={failedAt} />,
    <code key="id" className="break-all">
      {jobId}
    </code>,
  ]
  return (
    <SubItem
      title={<QueueName queue={queue} />}
      facts={facts}
      action={
        nextAt === null ? (
          <Button size="sm" isBusy={isBusy} onClick={() => run(again)}>
            {t(($) => $.health.queues.retry)}
          </Button>
        ) : (
          <span className="text-[0.8125rem] text-muted-foreground">{t(($) => $.health.queues.again)}</span>
        )
      }
    />
  )
}
