// The mark of Parley: two speech shapes that answer each other. Its colours follow theme and palette.
import { cn } from '#web/lib/cn.ts'

/** The mark alone. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn('size-7 shrink-0', className)}>
      <rect width="32" height="32" rx="8" className="fill-primary" />
      <path
        d="M8 10.5A3.5 3.5 0 0 1 11.5 7h6a3.500 3.500 0 0 1 3.500 3.500v3a3.500 3.500 0 0 1-3.500 3.500H12l-4 3.500z"
        className="fill-primary-foreground"
      />
      <path
        d="M24 15.500v10l-4-3.300h-5a3 3 0 0 1-2.800-2H18a6 6 0 0 0 6-4.700z"
        className="fill-primary-foreground"
        fillOpacity="0.72"
      />
    </svg>
  )
}

/** Mark and name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-2.5 font-semibold text-base text-foreground tracking-tight',
        className,
      )}
    >
      <LogoMark />
      Parley
    </span>
  )
}
