// Buttons, and links that look like buttons.
import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useDisabled } from '#web/lib/read-only.ts'
import { Spinner } from './spinner.tsx'

const looks = cva(
  'relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-lg font-medium transition-colors disabled:pointer-events-none disabled:opacity-55 aria-disabled:pointer-events-none aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-primary text-primary-foreground shadow-card hover:bg-primary-hover',
        secondary: 'border border-input/60 bg-surface text-foreground shadow-card hover:bg-muted',
        ghost: 'text-foreground hover:bg-accent',
        destructive: 'bg-destructive text-destructive-foreground shadow-card hover:bg-destructive-hover',
        link: 'text-primary underline-offset-4 hover:underline',
      },
      size: {
        sm: 'h-8 px-3 text-[0.8125rem] pointer-coarse:min-h-11',
        md: 'h-9 px-3.5 text-sm pointer-coarse:min-h-11',
        lg: 'h-11 px-5 text-[0.9375rem]',
        icon: 'size-9 pointer-coarse:min-h-11 pointer-coarse:min-w-11',
        'icon-sm': 'size-7 rounded-md pointer-coarse:min-h-11 pointer-coarse:min-w-11',
      },
    },
    compoundVariants: [{ variant: 'link', className: 'h-auto min-h-6 px-0' }],
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
)

/** The classes of a button, for links that must look like one. */
export function buttonClasses(options?: Parameters<typeof looks>[0]): string {
  return cn(looks(options))
}

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof looks> & {
    /** Renders the only child (a link, for example) with the looks of a button. */
    asChild?: boolean
    /** Keeps the label, shows a spinner and refuses further presses. */
    isBusy?: boolean
    /** It only shows something, or closes it: also those who may not change anything press it. */
    isForReading?: boolean
  }

/** A button. `type` defaults to `button`, `variant` to `secondary`. */
export function Button({
  variant,
  size,
  className,
  asChild,
  isBusy = false,
  isForReading = false,
  children,
  disabled,
  ...props
}: ButtonProps) {
  const classes = cn(looks({ variant, size }), className)
  const isReadOnly = useDisabled(false) && !isForReading
  if (asChild) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button
      type="button"
      className={classes}
      disabled={disabled || isBusy || isReadOnly}
      aria-busy={isBusy || undefined}
      {...props}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}
