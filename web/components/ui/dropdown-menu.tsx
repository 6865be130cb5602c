// A menu under a button.
import { Check } from 'lucide-react'
import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { menuItemClasses, popupClasses } from './popup-classes.ts'

/** Not modal: the page stays readable and does not shift while a menu is open. */
export function DropdownMenu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} />
}
export const DropdownMenuTrigger = Primitive.Trigger
export const DropdownMenuRadioGroup = Primitive.RadioGroup

/** The open menu. */
export function DropdownMenuContent({
  className,
  align = 'end',
  sideOffset = 6,
  ...props
}: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        align={align}
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(popupClasses, 'min-w-48 max-w-80 p-1', className)}
        {...props}
      />
    </Primitive.Portal>
  )
}

/** One action. Use `asChild` around a link for navigation. */
export function DropdownMenuItem({
  className,
  isDestructive = false,
  ...props
}: ComponentProps<typeof Primitive.Item> & { isDestructive?: boolean }) {
  return (
    <Primitive.Item
      className={cn(
        menuItemClasses,
        isDestructive && 'text-destructive-soft-foreground data-[highlighted]:bg-destructive-soft',
        className,
      )}
      {...props}
    />
  )
}

/** One of several choices; the chosen one has a tick. */
export function DropdownMenuRadioItem({ className, children, ...props }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem className={cn(menuItemClasses, 'pe-8', className)} {...props}>
      {children}
      <Primitive.ItemIndicator className="absolute end-2">
        <Check aria-hidden="true" />
      </Primitive.ItemIndicator>
    </Primitive.RadioItem>
  )
}

/** Heading of a group. */
export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return (
    <Primitive.Label
      className={cn('px-2.5 pt-2 pb-1 font-medium text-muted-foreground text-xs', className)}
      {...props}
    />
  )
}

/** Line between groups. */
export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof Primitive.Separator>) {
  return <Primitive.Separator className={cn('-mx-1 my-1 h-px bg-border', className)} {...props} />
}
