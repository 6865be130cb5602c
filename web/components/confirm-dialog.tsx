// A confirmation of an action that takes a moment: it stays open until the action is done.
import { type ComponentProps, useState } from 'react'
import { AlertDialog } from './ui/alert-dialog.tsx'

type ConfirmDialogProps = Omit<
  ComponentProps<typeof AlertDialog>,
  'isOpen' | 'onOpenChange' | 'isBusy' | 'onConfirm'
> & {
  /** Rejects when it failed and the failure has been shown: the dialog stays open. */
  onConfirm: () => Promise<void>
  onClose: () => void
  /** Shown while the action runs. */
  working?: string
}

/** Open while mounted. */
export function ConfirmDialog({ onConfirm, onClose, working, children, ...question }: ConfirmDialogProps) {
  const [isBusy, setBusy] = useState(false)
  async function confirm() {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch {
      setBusy(false)
    }
  }
  return (
    <AlertDialog
      {...question}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={() => void confirm()}
      isBusy={isBusy}
    >
      {children}
      {working !== undefined && (
        <p role="status" className={isBusy ? 'text-sm' : 'sr-only'}>
          {isBusy && working}
        </p>
      )}
    </AlertDialog>
  )
}
