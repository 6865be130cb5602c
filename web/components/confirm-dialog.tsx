// A question before something is done that takes a moment: it stays until that is done.
import { type ComponentProps, useState } from 'react'
import { AlertDialog } from './ui/alert-dialog.tsx'

type ConfirmDialogProps = Omit<
  ComponentProps<typeof AlertDialog>,
  'isOpen' | 'onOpenChange' | 'isBusy' | 'onConfirm'
> & {
  /** Rejects when it could not be done, after the person was told: the dialog stays. */
  onConfirm: () => Promise<void>
  onClose: () => void
  /** What is said while it is being done. */
  working?: string
}

/** Open as long as it is mounted. */
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
