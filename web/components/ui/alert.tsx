// A message that stays on the page: a failure next to a form, a warning above a list.
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

const TONES = {
  info: { icon: Info, classes: 'bg-primary-soft text-primary-soft-foreground' },
  success: { icon: CircleCheck, classes: 'bg-success-soft text-success-soft-foreground' },
  warning: { icon: TriangleAlert, classes: 'bg-warning-soft text-warning-soft-foreground' },
  destructive: { icon: CircleAlert, classes: 'bg-destructive-soft text-destructive-soft-foreground' },
}

type AlertProps = {
  tone?: keyof typeof TONES
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}

/** Announced at once when it is destructive, politely otherwise. */
export function Alert({ tone = 'info', title, children, action, className }: AlertProps) {
  const { icon: Icon, classes } = TONES[tone]
  return (
    <div
      role={tone === 'destructive' ? 'alert' : 'status'}
      className={cn('flex items-start gap-3 rounded-lg px-4 py-3 text-sm', classes, className)}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {action}
    </div>
  )
}
