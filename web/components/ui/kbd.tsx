// Keys of a shortcut.
import { cn } from '#web/lib/cn.ts'

/** Shows keys side by side, for example `['Ctrl', 'K']`. */
export function Kbd({
  keys,
  isInverted = false,
  className,
}: {
  keys: readonly string[]
  isInverted?: boolean
  className?: string
}) {
  return (
    <span className={cn('inline-flex shrink-0 items-center gap-1', className)}>
      {keys.map((key) => (
        <kbd
          key={key}
          className={cn(
            'inline-flex h-5 min-w-5 items-center justify-center rounded border px-1 font-medium font-sans text-[0.6875rem] leading-none',
            isInverted ? 'border-background/30' : 'border-border bg-muted text-muted-foreground',
          )}
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
