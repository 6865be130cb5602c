// One event on its way to an endpoint: its state, and behind a button what was sent and what was answered.
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import type { WebhookDelivery } from '#shared/webhooks/webhooks.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { useTypeWords } from './use-type-words.ts'

const TONES = { waiting: 'warning', delivered: 'success', dead: 'destructive' } as const

type DeliveryRowProps = {
  delivery: WebhookDelivery
  /** Only an endpoint that is on is sent anything. */
  mayReplay: boolean
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** A list item. */
export function DeliveryRow({ delivery, mayReplay, isOpen, onToggle }: DeliveryRowProps) {
  const { t } = useTranslation('webhooks')
  const id = useId()
  const wordsOf = useTypeWords()
  const { type, state, attempts, lastStatus, createdAt } = delivery
  return (
    <li className="py-1">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onToggle(!isOpen)}
        className="-mx-2 flex w-[calc(100%+1rem)] items-center gap-3 rounded-lg px-2 py-2 text-start hover:bg-accent pointer-coarse:min-h-11"
      >
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{wordsOf(type)}</span>
            <Badge tone={attempts === 0 ? 'neutral' : TONES[state]}>{t(($) => $.stateNames[state])}</Badge>
          </span>
          <span className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground">
            <DateTime at={createdAt} />
            {attempts > 0 && <span>{t(($) => $.attempts, { count: attempts })}</span>}
            {lastStatus !== null && <span>HTTP {lastStatus}</span>}
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className={cn('size-4 shrink-0 text-muted-foreground transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      {isOpen && (
        <div id={id} className="pt-1 pb-3">
          <DeliveryDetails delivery={delivery} mayReplay={mayReplay} />
        </div>
      )}
    </li>
  )
}
