// The rules that a turn had to pass, and what each of them looked at.
import { Check, X } from 'lucide-react'
import type { TraceGate } from '#shared/messaging/trace.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhySection } from './why-section.tsx'

/** In the order in which they were asked; the one that stopped the turn is the last. */
export function WhyGates({ gates }: { gates: TraceGate[] }) {
  const { t } = useTranslation('why')
  if (gates.length === 0) return null
  return (
    <WhySection title={t(($) => $.gates.title)}>
      <ul className="flex flex-col gap-1.5">
        {gates.map(({ gate, hasPassed, facts }) => (
          <li key={gate} className="flex items-start gap-2 text-sm">
            {hasPassed ? (
              <Check role="img" aria-label={t(($) => $.gates.passed)} className="mt-0.5 size-4 shrink-0 text-success" />
            ) : (
              <X
                role="img"
                aria-label={t(($) => $.gates.stopped)}
                className="mt-0.5 size-4 shrink-0 text-destructive"
              />
            )}
            <span className="min-w-0">
              {t(($) => $.gates.name[gate])}
              <Facts facts={facts} />
            </span>
          </li>
        ))}
      </ul>
    </WhySection>
  )
}

function Facts({ facts }: { facts: TraceGate['facts'] }) {
  const { t, i18n } = useTranslation('why')
  // What has no words is left out: its name in the code says nothing to a reader.
  const entries = Object.entries(facts).filter(([key]) => i18n.exists(`facts.${key}`, { ns: 'why' }))
  if (entries.length === 0) return null
  return <span className="block break-words text-muted-foreground text-xs">{entries.map(toText).join(' · ')}</span>

  function toText([key, value]: [string, TraceGate['facts'][string]]): string {
    return `${t(key as never, { keyPrefix: 'facts' })}: ${valueText(value)}`
  }
  function valueText(value: TraceGate['facts'][string]): string {
    if (value === null) return t(($) => $.none)
    if (typeof value === 'boolean') return t(($) => $[value ? 'yes' : 'no'])
    if (typeof value === 'number') return formatNumber(value, 4)
    return t(value as never, { keyPrefix: 'values', defaultValue: value })
  }
}
