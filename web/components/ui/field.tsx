// A labelled form control with hint, error and counter, tied together for assistive technology.
import { CircleAlert } from 'lucide-react'
import { Slot } from 'radix-ui'
import { type ReactElement, type ReactNode, useId } from 'react'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Label } from './label.tsx'

type FieldProps = {
  label: ReactNode
  /** Exactly one control; it receives id, aria-describedby, aria-invalid and aria-required. */
  children: ReactElement
  hint?: ReactNode
  /** Translated message; undefined or empty when the value is good. */
  error?: string | undefined
  isOptional?: boolean
  isRequired?: boolean
  /** Shows `used / max` next to the hint. */
  counter?: { used: number; max: number }
  className?: string
}

/** A control with its label above, and hint or error below, which are announced with it. */
export function Field({ label, children, hint, error, isOptional, isRequired, counter, className }: FieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`, counter && `${id}-count`].filter(Boolean).join(' ')
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <Label htmlFor={id}>{label}</Label>
        {isOptional && <span className="text-muted-foreground text-xs">{t(($) => $.state.optional)}</span>}
      </div>
      <Slot.Root
        id={id}
        aria-describedby={describedBy || undefined}
        aria-invalid={error ? true : undefined}
        aria-required={isRequired || undefined}
      >
        {children}
      </Slot.Root>
      {(hint || error || counter) && (
        <div className="flex items-start justify-between gap-3 text-[0.8125rem] leading-5">
          <div>
            {error ? (
              <p id={`${id}-error`} className="flex items-start gap-1.5 text-destructive-soft-foreground">
                <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
                {error}
              </p>
            ) : null}
            {hint ? (
              <p id={`${id}-hint`} className="text-muted-foreground">
                {hint}
              </p>
            ) : null}
          </div>
          {counter && <Counter id={`${id}-count`} {...counter} />}
        </div>
      )}
    </div>
  )
}

function Counter({ id, used, max }: { id: string; used: number; max: number }) {
  return (
    <span
      id={id}
      className={cn('shrink-0 tabular-nums', used > max ? 'text-destructive-soft-foreground' : 'text-muted-foreground')}
    >
      {formatNumber(used)} / {formatNumber(max)}
    </span>
  )
}
