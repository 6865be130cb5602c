// One fact about a connection in a list of them.
import type { ReactNode } from 'react'

/** A term with what it is; inside a `dl`. */
export function Fact({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 break-words font-medium">
        {children}
        {hint && <p className="mt-0.5 font-normal text-[0.8125rem] text-muted-foreground">{hint}</p>}
      </dd>
    </div>
  )
}
