// Small forms that send one text to the sign-in service and show its refusal in place.
import { type FormEvent, type HTMLInputAutoCompleteAttribute, useState } from 'react'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'

type OneFieldFormProps = {
  label: string
  submitLabel: string
  initial?: string
  autoComplete?: HTMLInputAutoCompleteAttribute
  inputMode?: 'numeric' | 'text'
  isDestructive?: boolean
  /** What it rejects with is shown. */
  onSubmit: (text: string) => Promise<void>
}

/** One text field and a button. */
export function OneFieldForm({ label, initial = '', onSubmit, ...props }: OneFieldFormProps) {
  const [text, setText] = useState(initial)
  const { failure, isBusy, run } = useRun()
  const { autoComplete = 'off', inputMode = 'text' } = props
  return (
    <form onSubmit={(event) => void run(event, () => onSubmit(text.trim()))} noValidate className="flex flex-col gap-4">
      <Field label={label} isRequired>
        <Input
          autoComplete={autoComplete}
          inputMode={inputMode}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Outcome {...props} failure={failure} isBusy={isBusy} isReady={text.trim() !== ''} />
    </form>
  )
}

type PasswordFormProps = {
  /** Without one there is no field: a recent sign-in is the proof. */
  hasPassword: boolean
  submitLabel: string
  isDestructive?: boolean
  onSubmit: (password: string | undefined) => Promise<void>
}

/** Asks for the password of an account that has one. */
export function PasswordForm({ hasPassword, onSubmit, ...props }: PasswordFormProps) {
  const { t } = useTranslation('security')
  const [password, setPassword] = useState('')
  const { failure, isBusy, run } = useRun()
  const send = () => onSubmit(hasPassword ? password : undefined)
  return (
    <form onSubmit={(event) => void run(event, send)} noValidate className="flex flex-col gap-4">
      {hasPassword && (
        <Field label={t(($) => $.password)} isRequired>
          <PasswordInput
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      )}
      <Outcome {...props} failure={failure} isBusy={isBusy} isReady={!hasPassword || password !== ''} />
    </form>
  )
}

type OutcomeProps = {
  submitLabel: string
  isDestructive?: boolean | undefined
  failure: string | null
  isBusy: boolean
  isReady: boolean
}

function Outcome({ submitLabel, isDestructive, failure, isBusy, isReady }: OutcomeProps) {
  return (
    <>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <div className="flex justify-end">
        <Button type="submit" variant={isDestructive ? 'destructive' : 'primary'} isBusy={isBusy} disabled={!isReady}>
          {submitLabel}
        </Button>
      </div>
    </>
  )
}

function useRun() {
  const { t } = useTranslation('security')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function run(event: FormEvent, send: () => Promise<void>) {
    event.preventDefault()
    setFailure(null)
    setBusy(true)
    try {
      await send()
    } catch (error) {
      const failed = t(($) => $.failed)
      setFailure(describeAuthError(error, failed))
    }
    setBusy(false)
  }
  return { failure, isBusy, run }
}
