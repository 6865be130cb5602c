// What a list shows when it has nothing: one sentence, one action, one help link.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

type EmptyStateProps = {
  icon: LucideIcon
  title: ReactNode
  description?: ReactNode
  /** The primary action. */
  action?: ReactNode
  /** A quieter link, for example to help. */
  secondary?: ReactNode
  className?: string
}

/** An empty list or page. */
export function EmptyState({ icon: Icon, title, description, action, secondary, className }: EmptyStateProps) {
  return (
    <div
      className={cn(
        'flex flex-col items-center rounded-xl border border-border border-dashed px-6 py-14 text-center',
        className,
      )}
    >
      <div className="mb-4 flex size-12 items-center justify-center rounded-xl bg-primary-soft text-primary-soft-foreground">
        <Icon aria-hidden="true" className="size-6" strokeWidth={1.75} />
      </div>
      <h2 className="font-semibold text-base">{title}</h2>
      {description && <p className="mt-1 max-w-md text-balance text-muted-foreground">{description}</p>}
      {action && <div className="mt-5">{action}</div>}
      {secondary && <div className="mt-3 text-[0.8125rem]">{secondary}</div>}
    </div>
  )
}
