// A panel that slides in from a side of the screen.
import { cva } from 'class-variance-authority'
import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Button } from './button.tsx'
import { overlayClasses } from './popup-classes.ts'
import { useReturnFocus } from './use-return-focus.ts'

export const Sheet = Primitive.Root
export const SheetTrigger = Primitive.Trigger

const sheetClasses = cva(
  'fixed inset-y-0 z-50 flex w-[calc(100vw-3rem)] flex-col gap-5 overflow-y-auto border-border bg-surface p-5 shadow-overlay outline-none duration-200 data-[state=closed]:animate-out data-[state=open]:animate-in',
  {
    variants: {
      side: {
        left: 'left-0 max-w-xs border-e data-[state=closed]:slide-out-to-left data-[state=open]:slide-in-from-left',
        right: 'right-0 max-w-lg border-s data-[state=closed]:slide-out-to-right data-[state=open]:slide-in-from-right',
      },
    },
  },
)

type SheetContentProps = Omit<ComponentProps<typeof Primitive.Content>, 'title'> & {
  title: ReactNode
  side?: 'left' | 'right'
  isTitleHidden?: boolean
}

/** The panel, from the right by default. */
export function SheetContent({
  title,
  side = 'right',
  isTitleHidden,
  className,
  children,
  ...props
}: SheetContentProps) {
  const { t } = useTranslation()
  const returnFocus = useReturnFocus()
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={overlayClasses} />
      <Primitive.Content
        {...returnFocus}
        aria-describedby={undefined}
        className={cn(sheetClasses({ side }), className)}
        {...props}
      >
        <Primitive.Title className={isTitleHidden ? 'sr-only' : 'pe-8 font-semibold text-lg leading-6'}>
          {title}
        </Primitive.Title>
        {children}
        <Primitive.Close asChild>
          <Button
            isForReading
            variant="ghost"
            size="icon-sm"
            className="absolute end-4 top-4"
            aria-label={t(($) => $.action.close)}
          >
            <X />
          </Button>
        </Primitive.Close>
      </Primitive.Content>
    </Primitive.Portal>
  )
}
