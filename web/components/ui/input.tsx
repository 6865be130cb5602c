// One-line text input.
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useDisabled } from '#web/lib/read-only.ts'

/** Looks shared by everything that is typed into or picked from. */
export const inputClasses =
  'w-full min-w-0 rounded-lg border border-input bg-surface px-3 text-sm text-foreground shadow-card transition-[background-color,border-color] placeholder:text-muted-foreground hover:border-muted-foreground/60 focus-visible:border-ring focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-ring/35 disabled:cursor-not-allowed disabled:bg-muted disabled:text-muted-foreground aria-invalid:border-destructive aria-invalid:focus-visible:outline-destructive/35 max-sm:text-base'

/** A text input; text is 16 px on small screens so that phones do not zoom in. */
export function Input({ className, type = 'text', disabled, ...props }: ComponentProps<'input'>) {
  const isDisabled = useDisabled(disabled)
  return (
    <input
      type={type}
      disabled={isDisabled}
      className={cn(inputClasses, 'h-9 read-only:bg-muted pointer-coarse:h-11', className)}
      {...props}
    />
  )
}
