// A bar for work of known length or for a share that is used up.
import { Progress as Primitive } from 'radix-ui'
import { cn } from '#web/lib/cn.ts'

type ProgressProps = {
  /** 0 to 1; null while unknown. */
  value: number | null
  /** Says what is progressing. */
  label: string
  tone?: 'primary' | 'warning' | 'destructive'
  className?: string
}

/** A progress bar. Colour is never the only sign: say the state in words nearby. */
export function Progress({ value, label, tone = 'primary', className }: ProgressProps) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <Primitive.Root
      aria-label={label}
      value={percent}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-accent', className)}
    >
      <Primitive.Indicator
        className={cn(
          'h-full rounded-full transition-[width] duration-300',
          { primary: 'bg-primary', warning: 'bg-warning-soft-foreground', destructive: 'bg-destructive' }[tone],
          percent === null && 'w-1/3 animate-pulse',
        )}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </Primitive.Root>
  )
}
