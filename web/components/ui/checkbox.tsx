// Checkbox with an optional label beside it.
import { Check, Minus } from 'lucide-react'
import { Checkbox as Primitive } from 'radix-ui'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from '#web/lib/cn.ts'

/** `checked` may be `indeterminate`. Without `label`, give it an `aria-label`. */
export function Checkbox({
  className,
  label,
  id,
  ...props
}: ComponentProps<typeof Primitive.Root> & { label?: ReactNode }) {
  const ownId = useId()
  const box = (
    <Primitive.Root
      id={id ?? ownId}
      className={cn(
        'peer group relative size-4.5 shrink-0 rounded border border-input bg-surface shadow-card transition-colors after:absolute after:-inset-1 hover:border-muted-foreground disabled:opacity-50 data-[state=checked]:border-primary data-[state=indeterminate]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:bg-primary',
        className,
      )}
      {...props}
    >
      <Primitive.Indicator className="flex items-center justify-center text-primary-foreground">
        <Check aria-hidden="true" strokeWidth={3} className="size-3.5 group-data-[state=indeterminate]:hidden" />
        <Minus aria-hidden="true" strokeWidth={3} className="hidden size-3.5 group-data-[state=indeterminate]:block" />
      </Primitive.Indicator>
    </Primitive.Root>
  )
  if (!label) return box
  return (
    <div className="flex items-center gap-2.5">
      {box}
      <label htmlFor={id ?? ownId} className="text-sm peer-disabled:opacity-60">
        {label}
      </label>
    </div>
  )
}
