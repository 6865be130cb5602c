// An on-off switch that takes effect at once.
import { Switch as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useDisabled } from '#web/lib/read-only.ts'

/** Name it with a label or `aria-label`. */
export function Switch({ className, disabled, ...props }: ComponentProps<typeof Primitive.Root>) {
  const isDisabled = useDisabled(disabled)
  return (
    <Primitive.Root
      disabled={isDisabled}
      className={cn(
        'relative inline-flex h-5 w-9 shrink-0 items-center rounded-full bg-input transition-colors after:absolute after:-inset-2 disabled:opacity-50 data-[state=checked]:bg-primary',
        className,
      )}
      {...props}
    >
      <Primitive.Thumb className="block size-4 translate-x-0.5 rounded-full bg-white shadow-sm transition-transform data-[state=checked]:translate-x-4.5 dark:data-[state=checked]:bg-primary-foreground" />
    </Primitive.Root>
  )
}
