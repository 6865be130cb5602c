// One model: its price, what was used of it, whether it is offered, and whether new agents get it.
import { CircleDollarSign, Star } from 'lucide-react'
import { useId } from 'react'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { AdminModel, ModelPrice } from '#shared/organizations/model-settings.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useSpendWords } from '../overview/use-spend-words.ts'

type ModelItemProps = { model: AdminModel; onPrice: () => void }

export function ModelItem({ model, onPrice }: ModelItemProps) {
  const { t } = useTranslation('admin')
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="break-words font-medium">{model.label}</span>
          {model.isDefault && <Badge tone="success">{t(($) => $.models.isDefault)}</Badge>}
          {!model.isOffered && <Badge>{t(($) => $.models.withdrawn)}</Badge>}
          {!model.isConfigured && <Badge>{t(($) => $.models.notConfigured)}</Badge>}
        </p>
        {model.label !== model.name && (
          <p className="break-all font-mono text-[0.8125rem] text-muted-foreground">{model.name}</p>
        )}
        <PriceText model={model} />
        <UseText model={model} />
      </div>
      <Acts model={model} onPrice={onPrice} />
    </li>
  )
}

function PriceText({ model: { price, setFrom, next } }: Pick<ModelItemProps, 'model'>) {
  const { t } = useTranslation('admin')
  const priceText = usePriceText()
  return (
    <div className="text-sm tabular-nums">
      <p>
        {priceText(price)}
        {price && (
          <span className="text-muted-foreground">
            {' · '}
            {setFrom === null
              ? t(($) => $.models.listPrice)
              : t(($) => $.models.setFrom, { time: formatDateTime(setFrom) })}
          </span>
        )}
      </p>
      {next && (
        <p className="text-muted-foreground">
          {t(($) => $.models.next, {
            time: formatDateTime(next.from),
            price: next.price ? priceText(next.price) : t(($) => $.models.listPrice),
          })}
        </p>
      )}
    </div>
  )
}

/** A price in words; null: unknown. */
export function usePriceText(): (price: ModelPrice | null) => string {
  const { t } = useTranslation('admin')
  return (price) => {
    if (!price) return t(($) => $.models.unknownPrice)
    const { input, output, cachedInput, maxInputTokens } = price
    const parts = [t(($) => $.models.price, { input: formatNumber(input, 3), output: formatNumber(output, 3) })]
    if (cachedInput !== null) parts.push(t(($) => $.models.cached, { value: formatNumber(cachedInput, 3) }))
    if (maxInputTokens !== null) parts.push(t(($) => $.models.upTo, { value: formatNumber(maxInputTokens) }))
    return parts.join(' · ')
  }
}

function UseText({ model: { agents, use } }: Pick<ModelItemProps, 'model'>) {
  const { t } = useTranslation('admin')
  const { costOf } = useSpendWords()
  const parts = [
    t(($) => $.models.agents, { count: agents, value: formatNumber(agents) }),
    t(($) => $.models.used, { count: use.calls, value: formatNumber(use.calls) }),
    ...(use.calls > 0 ? [costOf(use)] : []),
  ]
  return <p className="text-[0.8125rem] text-muted-foreground tabular-nums">{parts.join(' · ')}</p>
}

function Acts({ model: { name, label, isOffered, isDefault }, onPrice }: ModelItemProps) {
  const { t } = useTranslation('admin')
  const id = useId()
  const setOffered = useMutation(api.admin.models.setOffered)
  const setDefault = useMutation(api.admin.models.setDefault)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="flex items-center gap-2 text-sm">
        <Switch
          id={id}
          checked={isOffered}
          disabled={isDefault}
          aria-label={t(($) => $.models.offer, { name: label })}
          onCheckedChange={(checked) => void setOffered({ model: name, isOffered: checked })}
        />
        <label htmlFor={id} aria-hidden="true">
          {t(($) => $.models.offered)}
        </label>
      </span>
      <Button
        size="sm"
        variant="ghost"
        disabled={!isOffered}
        aria-pressed={isDefault}
        aria-label={
          isDefault ? t(($) => $.models.dropDefault, { name: label }) : t(($) => $.models.makeDefault, { name: label })
        }
        onClick={() => void setDefault({ model: isDefault ? null : name })}
      >
        <Star aria-hidden="true" />
        {t(($) => $.models.forNew)}
      </Button>
      {name !== EXTRACTIVE_MODEL && (
        <Button size="sm" onClick={onPrice} aria-label={t(($) => $.models.changePriceOf, { name: label })}>
          <CircleDollarSign aria-hidden="true" />
          {t(($) => $.models.changePrice)}
        </Button>
      )}
    </div>
  )
}
