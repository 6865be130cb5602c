// A length of time as a number and its unit.
import { useState } from 'react'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const UNITS = [
  { name: 'minutes', ms: 60_000 },
  { name: 'hours', ms: 3_600_000 },
  { name: 'days', ms: 86_400_000 },
] as const
type Unit = (typeof UNITS)[number]

type SpanInputProps = {
  label: string
  /** Milliseconds in one of the units that `value` counts. */
  unitMs: number
  value: number | null
  onValueChange: (value: number | null) => void
  error?: string | undefined
}

/** Opens with the largest unit that fits the value wholly. Another unit keeps the number and so changes the time. */
export function SpanInput({ label, unitMs, value, onValueChange, error }: SpanInputProps) {
  const { t } = useTranslation()
  const [unit, setUnit] = useState<Unit>(() => fittingUnit((value ?? 0) * unitMs))
  const factor = unit.ms / unitMs
  const amount = value === null ? null : value / factor
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_8rem] items-start gap-2">
      <Field label={label} error={error}>
        <NumberInput value={amount} onValueChange={(next) => onValueChange(next === null ? null : next * factor)} />
      </Field>
      <Select
        aria-label={t(($) => $.span.unit)}
        value={unit.name}
        onValueChange={(name) => {
          const next = UNITS.find((each) => each.name === name) ?? unit
          setUnit(next)
          if (amount !== null) onValueChange((amount * next.ms) / unitMs)
        }}
        options={UNITS.map(({ name }) => ({ value: name, label: t(($) => $.span[name]) }))}
        className="mt-6.5"
      />
    </div>
  )
}

function fittingUnit(milliseconds: number): Unit {
  return UNITS.findLast(({ ms }) => milliseconds >= ms && milliseconds % ms === 0) ?? UNITS[0]
}
