// Where one is in a wizard.
import { Check } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type StepsProps = {
  /** In order; the last is a state and not a task: once there, all are done. */
  names: string[]
  /** Index of the present step. */
  at: number
}

/** The steps; the current one is marked for assistive technology too. */
export function Steps({ names, at }: StepsProps) {
  const { t } = useTranslation('channels')
  const last = names.length - 1
  return (
    <ol aria-label={t(($) => $.setup.stepsLabel)} className="flex items-center gap-2 sm:gap-3">
      {names.map((name, index) => {
        const isDone = index < at || at === last
        return (
          <li
            key={name}
            aria-current={index === at ? 'step' : undefined}
            className={cn(
              'flex min-w-0 items-center gap-2 not-last:flex-1 sm:gap-3',
              index === at && 'min-w-max', // its name is the only one on a narrow screen
            )}
          >
            <span
              className={cn(
                'flex size-7 shrink-0 items-center justify-center rounded-full border border-input font-semibold text-xs',
                index === at && 'border-primary bg-primary text-primary-foreground',
                isDone && 'border-transparent bg-success-soft text-success-soft-foreground',
              )}
            >
              {isDone ? <Check aria-hidden="true" className="size-4" /> : index + 1}
            </span>
            <span className={cn('truncate', index === at ? 'font-medium' : 'text-muted-foreground max-sm:sr-only')}>
              {name}
            </span>
            {index < last && <span aria-hidden="true" className="h-px min-w-4 flex-1 bg-border" />}
          </li>
        )
      })}
    </ol>
  )
}
