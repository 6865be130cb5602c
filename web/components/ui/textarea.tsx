// Multi-line text input that grows with its content.
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { inputClasses } from './input.tsx'

/** Grows by itself; limit it with `max-h-*`. */
export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={cn(inputClasses, 'field-sizing-content min-h-20 resize-y py-2 leading-6', className)}
      {...props}
    />
  )
}
