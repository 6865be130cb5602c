// Whether a message reached the channel. Failed and unknown deliveries can be sent again by hand.
import { Check, CheckCheck, CircleAlert, CircleHelp, CircleSlash, Clock, type LucideIcon, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { PartWait } from '#shared/messaging/conversations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatMoment } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { connectionPath } from '#web/lib/server/connections.ts'
import type { Delivery, DeliveryState } from './delivery.ts'
import { useDeliveryErrorText } from './outcome-text.ts'

const LOOKS: Record<DeliveryState, { icon: LucideIcon; classes: string }> = {
  queued: { icon: Clock, classes: 'text-muted-foreground' },
  sending: { icon: Clock, classes: 'text-muted-foreground' },
  sent: { icon: Check, classes: 'text-muted-foreground' },
  delivered: { icon: CheckCheck, classes: 'text-muted-foreground' },
  read: { icon: CheckCheck, classes: 'text-primary' },
  withheld: { icon: CircleSlash, classes: 'bg-muted px-1.5 text-muted-foreground' },
  failed: { icon: CircleAlert, classes: 'bg-destructive-soft text-destructive-soft-foreground px-1.5' },
  unknown: { icon: CircleHelp, classes: 'bg-warning-soft text-warning-soft-foreground px-1.5' },
}

/** States that may need an explanation, or a resend by hand. */
const NEEDS_PERSON: DeliveryState[] = ['withheld', 'failed', 'unknown']

type DeliveryBadgeProps = {
  delivery: Delivery
  /** Sends the failed and unknown parts again; absent where that is not possible. */
  onResend?: ((parts: Delivery['resendable']) => Promise<unknown>) | undefined
}

/** A state in words; when it needs a decision, a button that explains it and offers to resend. */
export function DeliveryBadge({ delivery, onResend }: DeliveryBadgeProps) {
  const { t } = useTranslation('conversations')
  const { icon: Icon, classes } = LOOKS[delivery.state]
  const { waits, waitsFor } = delivery
  const label = (
    <>
      <Icon aria-hidden="true" className="size-3.5" />
      <StateText delivery={delivery} />
      {delivery.sentParts < delivery.totalParts && delivery.totalParts > 1 && (
        <span>({t(($) => $.delivery.parts, { done: delivery.sentParts, total: delivery.totalParts })})</span>
      )}
    </>
  )
  const looks = cn('inline-flex min-h-6 items-center gap-1 rounded-md text-xs', classes)
  const isKept = waitsFor !== null && waits === null
  if (!isKept && !NEEDS_PERSON.includes(delivery.state)) return <span className={looks}>{label}</span>
  return (
    <Popover>
      <PopoverTrigger className={cn(looks, 'font-medium underline-offset-2 hover:underline')}>{label}</PopoverTrigger>
      <PopoverContent className="flex w-80 flex-col gap-3">
        {isKept ? <WaitHelp waitsFor={waitsFor} /> : <DeliveryHelp delivery={delivery} />}
        {onResend && !isKept && (
          <ResendButton parts={delivery.resendable} mayArriveTwice={delivery.state === 'unknown'} onResend={onResend} />
        )}
      </PopoverContent>
    </Popover>
  )
}

function StateText({ delivery: { state, waits, waitsFor } }: { delivery: Delivery }) {
  const { t } = useTranslation('conversations')
  if (waits) return t(($) => $.delivery.waits[waits.reason], { at: formatMoment(waits.until, Date.now()) })
  if (waitsFor) return t(($) => $.delivery.waitsFor[waitsFor.why].label)
  return t(($) => $.delivery[state])
}

/** Why it cannot be sent, in the words of the connection page, with a link there. */
function WaitHelp({ waitsFor: { why, detail, connection } }: { waitsFor: PartWait }) {
  const { t } = useTranslation('conversations')
  return (
    <div className="flex flex-col gap-2">
      <p>{t(($) => $.delivery.waitsFor[why].body)}</p>
      {detail && <p className="break-words font-mono text-muted-foreground text-xs">{detail}</p>}
      <Link to={connectionPath(connection)} className="font-medium text-primary underline-offset-4 hover:underline">
        {t(($) => $.delivery.waitsFor.open)}
      </Link>
    </div>
  )
}

function DeliveryHelp({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('conversations')
  const errorText = useDeliveryErrorText()
  if (delivery.state === 'unknown') {
    return <p>{t(($) => $.delivery[delivery.error === 'not_taken' ? 'notTakenHelp' : 'unknownHelp'])}</p>
  }
  if (delivery.state === 'withheld') {
    return <p>{t(($) => $.delivery[delivery.error === 'rating_taken_back' ? 'ratingTakenBack' : 'withheldHelp'])}</p>
  }
  const { text, detail } = errorText(delivery.error)
  return (
    <div>
      <p>{text}</p>
      {detail && <p className="mt-1 break-words font-mono text-muted-foreground text-xs">{detail}</p>}
    </div>
  )
}

type ResendButtonProps = {
  parts: Delivery['resendable']
  /** Asks for confirmation before resending. */
  mayArriveTwice: boolean
  onResend: (parts: Delivery['resendable']) => Promise<unknown>
}

function ResendButton({ parts, mayArriveTwice, onResend }: ResendButtonProps) {
  const { t } = useTranslation('conversations')
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  async function resend() {
    setBusy(true)
    try {
      await onResend(parts)
    } catch {
      // reported in a toast
    } finally {
      setBusy(false)
    }
  }
  if (isAsking) {
    return (
      <div role="alert" className="flex flex-col gap-2">
        <p className="font-medium">{t(($) => $.delivery.resendQuestion)}</p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="destructive" isBusy={isBusy} onClick={resend}>
            {t(($) => $.delivery.resendAnyway)}
          </Button>
          <Button size="sm" onClick={() => setAsking(false)}>
            {t(($) => $.delivery.resendCancel)}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <Button size="sm" className="self-start" isBusy={isBusy} onClick={mayArriveTwice ? () => setAsking(true) : resend}>
      <RotateCw aria-hidden="true" />
      {t(($) => $.delivery.resend)}
    </Button>
  )
}
