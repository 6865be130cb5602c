// A short hint that appears on hover and focus. Never the only place of something a person needs.
import { Tooltip as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { TOOLTIP_DELAY_MS, TOOLTIP_SKIP_DELAY_MS } from '#shared/limits.ts'
import { Kbd } from './kbd.tsx'

/** Shared timing: the first tooltip is delayed, the next one within the skip delay is not. Mounted once around the app. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={TOOLTIP_DELAY_MS} skipDelayDuration={TOOLTIP_SKIP_DELAY_MS}>
      {children}
    </Primitive.Provider>
  )
}

type TooltipProps = {
  content: ReactNode
  /** The element that the hint belongs to; it must accept a ref. */
  children: ReactNode
  /** Keys of the equivalent shortcut, as returned by `shortcutKeys()`. */
  keys?: readonly string[] | undefined
  side?: ComponentProps<typeof Primitive.Content>['side']
  isDisabled?: boolean
}

/** A hint next to its child, with the shortcut when there is one. */
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
