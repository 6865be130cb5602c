// A field for one number, typed as text: phones show their number keys, a wheel changes nothing, commas and spaces are understood.
import { type ComponentProps, useId, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage } from '#web/lib/i18n.ts'
import { parseNumber } from '#web/lib/parse-number.ts'
import { Input } from './input.tsx'

/** Decimals that a formatted number keeps: enough that no number changes its value by being shown. */
const DIGITS_MAX = 6

type NumberInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  /** null for an empty field, NaN while what is typed is not a number. */
  value: number | null
  onValueChange: (value: number | null) => void
  /** Shown at the end of the field and read with it: seconds, %. */
  unit?: string
}

/** Keeps what is typed as it is typed; formats it when the field is left. */
export function NumberInput({
  value,
  onValueChange,
  unit,
  onBlur,
  className,
  'aria-describedby': describedBy,
  ...props
}: NumberInputProps) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const shown = value === null || Number.isNaN(value) ? '' : formatNumber(value, DIGITS_MAX)
  const isTyping = typed !== undefined && Object.is(parseNumber(typed, currentLanguage()), value)
  return (
    <div className={cn('relative', className)}>
      <Input
        inputMode="decimal"
        autoComplete="off"
        {...props}
        aria-describedby={[describedBy, unit && id].filter(Boolean).join(' ') || undefined}
        value={isTyping ? typed : shown}
        onChange={(event) => {
          setTyped(event.target.value)
          onValueChange(parseNumber(event.target.value, currentLanguage()))
        }}
        onBlur={(event) => {
          if (!Number.isNaN(value)) setTyped(undefined)
          onBlur?.(event)
        }}
        className="tabular-nums"
        style={unit ? { paddingInlineEnd: `calc(1.25rem + ${unit.length}ch)` } : undefined}
      />
      {unit && (
        <span id={id} className="pointer-events-none absolute inset-y-0 end-3 flex items-center text-muted-foreground">
          {unit}
        </span>
      )}
    </div>
  )
}
