// Plain data tables.
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

/** A table that scrolls sideways when it is too wide. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return (
    <div className="w-full overflow-x-auto">
      <table className={cn('w-full border-collapse text-sm', className)} {...props} />
    </div>
  )
}

/** Heading cell. */
export function TableHead({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cn(
        'h-10 whitespace-nowrap border-border border-b px-4 text-start font-medium text-muted-foreground text-xs',
        className,
      )}
      {...props}
    />
  )
}

/** A row; `relative` so that a `link-cover` link may span it. */
export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return <tr className={cn('relative transition-colors hover:bg-muted/60', className)} {...props} />
}

/** Data cell. */
export function TableCell({ className, ...props }: ComponentProps<'td'>) {
  return <td className={cn('border-border border-b px-4 py-3 align-middle', className)} {...props} />
}
