// A short hint that appears on hover and focus. Never the only place of something a person needs.
import { Tooltip as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { TOOLTIP_DELAY_MS, TOOLTIP_SKIP_DELAY_MS } from '#shared/limits.ts'
import { Kbd } from './kbd.tsx'

/** Shared timing: the first tooltip waits, the next one within the skip delay does not. Stands once around the app. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={TOOLTIP_DELAY_MS} skipDelayDuration={TOOLTIP_SKIP_DELAY_MS}>
      {children}
    </Primitive.Provider>
  )
}

type TooltipProps = {
  content: ReactNode
  /** The one element the hint belongs to; it must accept a ref. */
  children: ReactNode
  /** Keys of the shortcut that does the same, as `shortcutKeys()` gives them. */
  keys?: readonly string[] | undefined
  side?: ComponentProps<typeof Primitive.Content>['side']
  isDisabled?: boolean
}

/** A hint beside its child, with the shortcut when there is one. */
export function Tooltip({ content, children, keys, side = 'top', isDisabled = false }: TooltipProps) {
  if (isDisabled) return children
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 flex max-w-xs items-center gap-2 rounded-md bg-foreground px-2.5 py-1.5 text-background text-xs shadow-raised data-[state=delayed-open]:animate-in data-[state=delayed-open]:fade-in-0"
        >
          {content}
          {keys && <Kbd keys={keys} isInverted />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
