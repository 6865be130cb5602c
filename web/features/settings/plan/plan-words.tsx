// What a plan holds, in words.
import { Check } from 'lucide-react'
import type { Plan } from '#shared/organizations/plans.ts'
import { formatNumber, formatPrice } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'

/** Price and numbers of a plan as a person reads them. */
export function usePlanWords() {
  const { t } = useTranslation('plan')
  const numberOf = (value: number | null) => (value === null ? t(($) => $.holds.unlimited) : formatNumber(value))
  return {
    priceOf({ price, currency }: Plan): string {
      if (price === null) return t(($) => $.price.agreed)
      return price === 0 ? t(($) => $.price.free) : t(($) => $.price.monthly, { price: formatPrice(price, currency) })
    },
    messagesOf: numberOf,
    numberOf,
  }
}

/** One feature a line. */
export function PlanFeatures({ plan }: { plan: Plan }) {
  const features = plan.features[currentLanguage()]
  if (features.length === 0) return null
  return (
    <ul className="flex flex-col gap-1.5">
      {features.map((feature) => (
        <li key={feature} className="flex items-start gap-2">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary" />
          <span className="min-w-0 break-words">{feature}</span>
        </li>
      ))}
    </ul>
  )
}
