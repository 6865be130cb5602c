// Grey shapes that stand where content is about to be.
import { cn } from '#web/lib/cn.ts'

/** Give it the size of what it stands for. Wrap a page of them in an element with `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('animate-pulse rounded-md bg-accent', className)} />
}
