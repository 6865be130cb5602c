// A small coloured label for a state.
import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

const badgeClasses = cva(
  'inline-flex h-5.5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full px-2 font-medium text-xs [&_svg]:size-3.5',
  {
    variants: {
      tone: {
        neutral: 'bg-accent text-foreground',
        primary: 'bg-primary-soft text-primary-soft-foreground',
        success: 'bg-success-soft text-success-soft-foreground',
        warning: 'bg-warning-soft text-warning-soft-foreground',
        destructive: 'bg-destructive-soft text-destructive-soft-foreground',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

type BadgeProps = ComponentProps<'span'> &
  VariantProps<typeof badgeClasses> & { /** A dot before the text. */ hasDot?: boolean }

/** A state in a word; the word says it, the colour only helps. */
export function Badge({ tone, hasDot = false, className, children, ...props }: BadgeProps) {
  return (
    <span className={cn(badgeClasses({ tone }), className)} {...props}>
      {hasDot && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  )
}
