// Tabs: sections of one page shown one at a time.
import { Tabs as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

/** Keep the chosen tab in the URL when a link should restore it. */
export const Tabs = Primitive.Root

/** The row of tabs; scrolls sideways when narrow. */
export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      className={cn('flex gap-1 overflow-x-auto border-border border-b [scrollbar-width:none]', className)}
      {...props}
    />
  )
}

/** One tab. */
export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        '-mb-px inline-flex h-10 shrink-0 items-center gap-2 border-transparent border-b-2 px-3 max-sm:px-2 font-medium text-muted-foreground text-sm transition-colors hover:text-foreground focus-visible:-outline-offset-2 data-[state=active]:border-primary data-[state=active]:text-foreground pointer-coarse:h-11 [&_svg]:size-4',
        className,
      )}
      {...props}
    />
  )
}

/** What a tab shows. */
export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn('pt-5', className)} {...props} />
}
