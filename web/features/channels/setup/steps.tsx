// Where one is in the wizard.
import { Check } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'

const STEPS = ['agent', 'token', 'done'] as const
export type SetupStep = (typeof STEPS)[number]

/** The three steps; the current one is marked for assistive technology too. */
export function Steps({ current }: { current: SetupStep }) {
  const { t } = useTranslation('channels')
  const names = {
    agent: t(($) => $.setup.stepAgent),
    token: t(($) => $.setup.stepToken),
    done: t(($) => $.setup.stepDone),
  }
  const at = STEPS.indexOf(current)
  return (
    <ol aria-label={t(($) => $.setup.stepsLabel)} className="flex items-center gap-2 sm:gap-3">
      {STEPS.map((step, index) => {
        const isDone = index < at || current === 'done'
        return (
          <li
            key={step}
            aria-current={step === current ? 'step' : undefined}
            className="flex min-w-0 items-center gap-2 not-last:flex-1 sm:gap-3"
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
              {names[step]}
            </span>
            {index < STEPS.length - 1 && <span aria-hidden="true" className="h-px min-w-4 flex-1 bg-border" />}
          </li>
        )
      })}
    </ol>
  )
}
