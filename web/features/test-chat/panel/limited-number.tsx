// A number within bounds that takes effect as it is typed: what is not allowed yet, such as the first digit, waits in the field.
import { type ComponentProps, useState } from 'react'
import { NumberInput } from '#web/components/ui/number-input.tsx'

type LimitedNumberProps = Omit<ComponentProps<typeof NumberInput>, 'value' | 'onValueChange' | 'min' | 'max'> & {
  value: number
  onValueChange: (value: number) => void
  min: number
  max: number
  isWhole?: boolean
}

/** Shows the last allowed value again when the field is left with another one in it. */
export function LimitedNumber({ value, onValueChange, min, max, isWhole = false, ...props }: LimitedNumberProps) {
  const [refused, setRefused] = useState<number | null>()
  const isAllowed = (next: number | null): next is number =>
    next !== null && next >= min && next <= max && (!isWhole || Number.isInteger(next))
  return (
    <NumberInput
      {...props}
      aria-invalid={refused !== undefined || undefined}
      value={refused === undefined ? value : refused}
      onValueChange={(next) => {
        setRefused(isAllowed(next) ? undefined : next)
        if (isAllowed(next)) onValueChange(next)
      }}
      onBlur={() => setRefused(undefined)}
    />
  )
}
