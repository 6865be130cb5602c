// One plan: what it holds, who has it, its place in the list, and a menu of what can be done.
import { Archive, ArchiveRestore, ArrowDown, ArrowUp, MoreHorizontal, Pencil, Star } from 'lucide-react'
import type { AdminPlan } from '#shared/organizations/admin-plans.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { formatNumber, formatPrice } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { PlanAct } from './plan-question.tsx'

type PlanRowProps = {
  plan: AdminPlan
  isFirst: boolean
  isLast: boolean
  /** Another place is being saved. */
  isMoving: boolean
  onMove: (by: -1 | 1) => void
  onEdit: () => void
  onAsk: (act: PlanAct) => void
}

/** A list item. */
export function PlanRow({ plan, isFirst, isLast, isMoving, onMove, onEdit, onAsk }: PlanRowProps) {
  const { t } = useTranslation('admin')
  const { slug, name, description, isDefault, isArchived } = plan
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 break-words font-medium">{name}</span>
          <code className="break-all text-[0.8125rem] text-muted-foreground">{slug}</code>
          {isDefault && <Badge tone="primary">{t(($) => $.plans.isDefault)}</Badge>}
          {isArchived && <Badge tone="neutral">{t(($) => $.plans.isArchived)}</Badge>}
        </p>
        {description && <p className="break-words text-[0.8125rem]">{description}</p>}
        <Facts plan={plan} />
      </div>
      <div className="flex gap-1">
        <Button
          variant="ghost"
          size="icon"
          disabled={isFirst}
          aria-disabled={isMoving || undefined}
          aria-label={t(($) => $.plans.moveUp, { name })}
          onClick={() => onMove(-1)}
        >
          <ArrowUp aria-hidden="true" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          disabled={isLast}
          aria-disabled={isMoving || undefined}
          aria-label={t(($) => $.plans.moveDown, { name })}
          onClick={() => onMove(1)}
        >
          <ArrowDown aria-hidden="true" />
        </Button>
        <Acts plan={plan} onEdit={onEdit} onAsk={onAsk} />
      </div>
    </li>
  )
}

function Facts({
  plan: { price, currency, messages, members, channelSlots, organizations },
}: Pick<PlanRowProps, 'plan'>) {
  const { t } = useTranslation('admin')
  const amountOf = (value: number | null) => (value === null ? t(($) => $.plans.unlimited) : formatNumber(value))
  return (
    <ul className="mt-1 flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground tabular-nums">
      <li>{price === null ? t(($) => $.plans.byAgreement) : formatPrice(price, currency)}</li>
      <li>{t(($) => $.plans.facts.messages, { value: amountOf(messages) })}</li>
      <li>{t(($) => $.plans.facts.members, { value: amountOf(members) })}</li>
      <li>{t(($) => $.plans.facts.slots, { value: amountOf(channelSlots) })}</li>
      <li>{t(($) => $.plans.facts.organizations, { value: formatNumber(organizations) })}</li>
    </ul>
  )
}

function Acts({ plan, onEdit, onAsk }: Pick<PlanRowProps, 'plan' | 'onEdit' | 'onAsk'>) {
  const { t } = useTranslation('admin')
  const { name, isDefault, isArchived } = plan
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t(($) => $.actsOf, { name })}>
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={onEdit}>
          <Pencil aria-hidden="true" />
          {t(($) => $.plans.edit)}
        </DropdownMenuItem>
        {!isDefault && !isArchived && (
          <DropdownMenuItem onSelect={() => onAsk('setDefault')}>
            <Star aria-hidden="true" />
            {t(($) => $.plans.setDefault)}
          </DropdownMenuItem>
        )}
        {isArchived ? (
          <DropdownMenuItem onSelect={() => onAsk('restore')}>
            <ArchiveRestore aria-hidden="true" />
            {t(($) => $.plans.restore)}
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem isDestructive onSelect={() => onAsk('archive')}>
            <Archive aria-hidden="true" />
            {t(($) => $.plans.archive)}
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
