// A searchable list of commands (cmdk). Load it lazily: only palettes and pickers need it.
import { Command as Primitive, useCommandState } from 'cmdk'
import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { menuItemClasses } from './popup-classes.ts'

/** The frame; `label` names it for assistive technology. */
export function Command({ className, ...props }: ComponentProps<typeof Primitive>) {
  return <Primitive loop className={cn('flex min-h-0 flex-col', className)} {...props} />
}

/** The search box. */
export function CommandInput({ className, ...props }: ComponentProps<typeof Primitive.Input>) {
  return (
    <div className="flex items-center gap-2.5 border-border border-b px-4">
      <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      <Primitive.Input
        className={cn(
          'h-12 w-full bg-transparent text-[0.9375rem] outline-none placeholder:text-muted-foreground',
          className,
        )}
        {...props}
      />
    </div>
  )
}

/** The scrolling results. */
export function CommandList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      className={cn('max-h-[min(26rem,60dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-2', className)}
      {...props}
    />
  )
}

/** Shown when nothing matches. */
export function CommandEmpty(props: ComponentProps<typeof Primitive.Empty>) {
  return <Primitive.Empty className="px-4 py-8 text-center text-muted-foreground text-sm" {...props} />
}

/** A titled group of items. */
export function CommandGroup({ className, ...props }: ComponentProps<typeof Primitive.Group>) {
  return (
    <Primitive.Group
      className={cn(
        '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-xs',
        className,
      )}
      {...props}
    />
  )
}

/** One result. */
export function CommandItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item className={cn(menuItemClasses, 'cursor-pointer', className)} {...props} />
}

/** What is being searched for; inside a Command only. */
export function useSearchText(): string {
  return useCommandState((state) => state.search)
}
