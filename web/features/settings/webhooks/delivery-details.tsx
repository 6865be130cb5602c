// What was sent in one delivery, and what was answered to each attempt.
import { useState } from 'react'
import type {
  AttemptError,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from '#shared/webhooks/webhooks.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** Live: the next attempt is seen at once. */
export function DeliveryDetails({ delivery, mayReplay }: { delivery: WebhookDelivery; mayReplay: boolean }) {
  const { t } = useTranslation('webhooks')
  const details: WebhookDeliveryDetails | undefined = useQuery(api.webhooks.delivery, { deliveryId: delivery._id })
  if (!details) {
    return (
      <Delayed>
        <Skeleton className="h-24" />
      </Delayed>
    )
  }
  return (
    <div className="flex flex-col gap-4 rounded-lg bg-muted/60 px-3 py-3 text-[0.8125rem]">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="text-muted-foreground">webhook-id</span>
        <code className="min-w-0 break-all">{details.eventId}</code>
        <CopyButton text={details.eventId} label={t(($) => $.copyId)} />
      </p>
      <section>
        <h3 className="font-medium">{t(($) => $.attemptsTitle)}</h3>
        {details.log.length === 0 && <p className="text-muted-foreground">{t(($) => $.noAttempts)}</p>}
        <ol className="flex flex-col gap-2">
          {details.log.map((attempt) => (
            <AttemptItem key={attempt.number} attempt={attempt} />
          ))}
        </ol>
      </section>
      <section>
        <h3 className="font-medium">{t(($) => $.body)}</h3>
        <Text text={pretty(details.body)} label={t(($) => $.body)} />
      </section>
      {mayReplay && delivery.state !== 'waiting' && <ReplayButton delivery={delivery} />}
    </div>
  )
}

const ERRORS = {
  status: 'status',
  timeout: 'timeout',
  not_connected: 'notConnected',
  cut_off: 'cutOff',
  address_refused: 'addressRefused',
  secret: 'secret',
} as const satisfies Record<AttemptError, string>

function AttemptItem({ attempt: { number, at, status, error, latencyMs, answer } }: { attempt: WebhookAttempt }) {
  const { t } = useTranslation('webhooks')
  return (
    <li className="flex flex-col gap-0.5">
      <p className="flex flex-wrap gap-x-3">
        <span className="text-muted-foreground">{t(($) => $.attempt, { number })}</span>
        <DateTime at={at} />
        {status !== null && <span>HTTP {status}</span>}
        <span>{t(($) => $.latency, { ms: formatNumber(latencyMs) })}</span>
      </p>
      {error !== null && error !== 'status' && <p>{t(($) => $.errors[ERRORS[error]])}</p>}
      {answer !== '' && <Text text={answer} label={t(($) => $.answer, { number })} />}
    </li>
  )
}

/** Words of a program, which may be long: a region that the keyboard scrolls. */
function Text({ text, label }: { text: string; label: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="max-h-56 overflow-auto rounded-md border border-border bg-surface p-2"
    >
      <pre className="whitespace-pre-wrap break-words text-xs">{text}</pre>
    </section>
  )
}

function pretty(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}

function ReplayButton({ delivery: { _id: deliveryId } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhooks')
  const replay = useMutation(api.webhooks.replay)
  const [isBusy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    const isSent = await replay({ deliveryId }).then(
      () => true,
      () => false, // reported in a toast
    )
    setBusy(false)
    if (isSent) toast.success(t(($) => $.replayed))
  }
  return (
    <Button size="sm" className="self-start" isBusy={isBusy} onClick={() => void send()}>
      {t(($) => $.replay)}
    </Button>
  )
}
