// The confirmation of an irreversible action: it lists what will be lost and asks for the name to be typed.
import { useState } from 'react'
import { AlertDialog } from './ui/alert-dialog.tsx'
import { Field } from './ui/field.tsx'
import { Input } from './ui/input.tsx'

type TypedNameDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The name to type. */
  name: string
  title: string
  description: string
  /** What will be lost, one line each. */
  losses: string[]
  /** Label of the field. */
  label: string
  confirmLabel: string
  /** Rejects when it failed: the dialog stays open. */
  onConfirm: () => Promise<void>
}

/** The confirm button and Enter work only while the typed name matches. */
export function TypedNameDialog(props: TypedNameDialogProps) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isRight = typed.trim() === props.name

  function change(isOpen: boolean) {
    if (!isOpen) setTyped('')
    props.onOpenChange(isOpen)
  }

  async function confirm() {
    if (!isRight || isBusy) return
    setBusy(true)
    try {
      await props.onConfirm()
      change(false)
    } catch {
      // Reported in a toast; the dialog stays open.
    } finally {
      setBusy(false)
    }
  }

  return (
    <AlertDialog
      isOpen={props.isOpen}
      onOpenChange={change}
      title={props.title}
      description={props.description}
      confirmLabel={props.confirmLabel}
      onConfirm={confirm}
      isDestructive
      isBusy={isBusy}
      isConfirmDisabled={!isRight}
    >
      <ul className="list-disc space-y-1 ps-5 text-sm marker:text-muted-foreground">
        {props.losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <Field label={props.label}>
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      </form>
    </AlertDialog>
  )
}
