// Label of a form control.
import { Label as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

/** Bind it with `htmlFor`; inside a Field this is done already. */
export function Label({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn('font-medium text-foreground text-sm leading-5', className)} {...props} />
}
