// A small window next to its button.
import { Popover as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { popupClasses } from './popup-classes.ts'

export const Popover = Primitive.Root
export const PopoverTrigger = Primitive.Trigger

/** The content of the popover. */
export function PopoverContent({
  className,
  align = 'center',
  sideOffset = 6,
  ...props
}: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        align={align}
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(popupClasses, 'max-w-[calc(100vw-1rem)] p-4', className)}
        {...props}
      />
    </Primitive.Portal>
  )
}
