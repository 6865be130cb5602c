// One fact about a connection in a list of them.
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

type FactProps = {
  label: string
  hint?: string | undefined
  /** Takes the whole width of a list of two columns. */
  isWide?: boolean
  children: ReactNode
}

/** A term with what it is; inside a `dl`. */
export function Fact({ label, hint, isWide = false, children }: FactProps) {
  return (
    <div className={cn('min-w-0', isWide && 'sm:col-span-2')}>
      <dt className="text-[0.8125rem] text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 break-words font-medium">
        {children}
        {hint && <p className="mt-0.5 font-normal text-[0.8125rem] text-muted-foreground">{hint}</p>}
      </dd>
    </div>
  )
}
