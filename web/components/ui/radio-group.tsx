// One of a few options, all visible.
import { RadioGroup as Primitive } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useDisabled } from '#web/lib/read-only.ts'

export type RadioOption<Value extends string> = {
  value: Value
  label: ReactNode
  hint?: ReactNode
  isDisabled?: boolean
}

type RadioGroupProps<Value extends string> = {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  options: readonly RadioOption<Value>[]
  className?: string
}

/** A radio group. `label` names it for assistive technology and is not shown. */
export function RadioGroup<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  className,
}: RadioGroupProps<Value>) {
  const id = useId()
  const isDisabled = useDisabled(false)
  return (
    <Primitive.Root
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onValueChange={(next) => onValueChange(next as Value)}
      className={cn('grid gap-2', className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          htmlFor={`${id}-${option.value}`}
          className="flex cursor-pointer items-start gap-3 rounded-lg border border-border bg-surface p-3 has-[[data-state=checked]]:border-primary has-[[data-state=checked]]:bg-primary-soft/50"
        >
          <Primitive.Item
            id={`${id}-${option.value}`}
            value={option.value}
            disabled={option.isDisabled ?? false}
            className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-input bg-surface data-[state=checked]:border-primary"
          >
            <Primitive.Indicator className="size-2 rounded-full bg-primary" />
          </Primitive.Item>
          <span className="min-w-0">
            <span className="block font-medium">{option.label}</span>
            {option.hint && <span className="block text-[0.8125rem] text-muted-foreground">{option.hint}</span>}
          </span>
        </label>
      ))}
    </Primitive.Root>
  )
}
