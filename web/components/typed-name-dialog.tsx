// The question before something is lost for good: it names what will be lost and asks for the name to be typed.
import { useState } from 'react'
import { AlertDialog } from './ui/alert-dialog.tsx'
import { Field } from './ui/field.tsx'
import { Input } from './ui/input.tsx'

type TypedNameDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** What has to be typed. */
  name: string
  title: string
  description: string
  /** One line each. */
  losses: string[]
  /** Label of the field. */
  label: string
  confirmLabel: string
  /** Rejects when it failed: the dialog stays open then. */
  onConfirm: () => Promise<void>
}

/** The confirming button works only while the typed name is right. Enter confirms then. */
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
      // The toast has told; the dialog stays.
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
