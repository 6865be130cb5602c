// A question that must be answered: it cannot be closed by a click outside.
import { AlertDialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { Button } from './button.tsx'
import { overlayClasses } from './popup-classes.ts'
import { useReturnFocus } from './use-return-focus.ts'

type AlertDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: ReactNode
  /** What will happen, and what will be lost. */
  description: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** Does not close the dialog: the caller does, at once or when the work is done. */
  onConfirm: () => void
  isDestructive?: boolean
  isBusy?: boolean
  isConfirmDisabled?: boolean
  /** More to show between the description and the buttons, such as a field for the typed name. */
  children?: ReactNode
}

/** A confirmation. The safe answer has the focus. */
export function AlertDialog(props: AlertDialogProps) {
  const { t } = useTranslation()
  const { onCloseAutoFocus, onOpenAutoFocus } = useReturnFocus()
  return (
    <Primitive.Root open={props.isOpen} onOpenChange={props.onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClasses} />
        <Primitive.Content
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-5 overflow-y-auto rounded-2xl border border-border bg-surface p-6 shadow-overlay outline-none duration-150 data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 data-[state=open]:animate-in"
        >
          <div className="flex flex-col gap-1.5">
            <Primitive.Title className="font-semibold text-lg leading-6">{props.title}</Primitive.Title>
            <Primitive.Description className="text-muted-foreground">{props.description}</Primitive.Description>
          </div>
          {props.children}
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Primitive.Cancel asChild>
              <Button isForReading disabled={props.isBusy}>
                {props.cancelLabel ?? t(($) => $.action.cancel)}
              </Button>
            </Primitive.Cancel>
            <Button
              variant={props.isDestructive ? 'destructive' : 'primary'}
              isBusy={props.isBusy ?? false}
              disabled={props.isConfirmDisabled}
              onClick={props.onConfirm}
            >
              {props.confirmLabel}
            </Button>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
