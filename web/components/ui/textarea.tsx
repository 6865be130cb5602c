// Multi-line text input that grows with its content.
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useDisabled } from '#web/lib/read-only.ts'
import { inputClasses } from './input.tsx'

/** Grows by itself; limit it with `max-h-*`. */
export function Textarea({ className, disabled, ...props }: ComponentProps<'textarea'>) {
  const isDisabled = useDisabled(disabled)
  return (
    <textarea
      disabled={isDisabled}
      className={cn(inputClasses, 'field-sizing-content min-h-20 resize-y py-2 leading-6', className)}
      {...props}
    />
  )
}
