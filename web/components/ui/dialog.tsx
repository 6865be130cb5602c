// A modal window over the page.
import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Button } from './button.tsx'
import { overlayClasses } from './popup-classes.ts'
import { useReturnFocus } from './use-return-focus.ts'

export const Dialog = Primitive.Root

type DialogContentProps = Omit<ComponentProps<typeof Primitive.Content>, 'title'> & {
  title: ReactNode
  description?: ReactNode
  /** Keeps the title for assistive technology only. */
  isTitleHidden?: boolean
}

/** The window: title, optional description, then the children. Esc and a click outside close it. */
export function DialogContent({
  title,
  description,
  isTitleHidden,
  className,
  children,
  ...props
}: DialogContentProps) {
  const { t } = useTranslation()
  const returnFocus = useReturnFocus()
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={overlayClasses} />
      <Primitive.Content
        {...returnFocus}
        {...(description ? {} : { 'aria-describedby': undefined })}
        className={cn(
          'fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 flex-col gap-5 overflow-y-auto rounded-2xl border border-border bg-surface p-6 shadow-overlay outline-none duration-150 data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0 data-[state=closed]:zoom-out-98 data-[state=open]:zoom-in-98',
          className,
        )}
        {...props}
      >
        <div className={cn('flex flex-col gap-1.5 pe-8', isTitleHidden && 'sr-only')}>
          <Primitive.Title className="font-semibold text-lg leading-6">{title}</Primitive.Title>
          {description && (
            <Primitive.Description className="text-muted-foreground">{description}</Primitive.Description>
          )}
        </div>
        {children}
        {!isTitleHidden && (
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
        )}
      </Primitive.Content>
    </Primitive.Portal>
  )
}

/** The row of buttons at the end of a dialog, the main one last. */
export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('flex flex-col-reverse gap-2 sm:flex-row sm:justify-end', className)} {...props} />
}
