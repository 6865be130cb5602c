// The second step of signing in: a code of the authenticator app, or a recovery code.
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { HttpError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { verifySecondStep } from '#web/lib/sign-in/two-step.ts'
import { AuthLayout } from './auth-layout.tsx'

type SecondStepPageProps = { challenge: string; returnTo: string; onBack: () => void }

/** Goes back to the first step by itself when too much time went by. */
export function SecondStepPage({ challenge, returnTo, onBack }: SecondStepPageProps) {
  const { t } = useTranslation('auth')
  const [kind, setKind] = useState<'code' | 'recoveryCode'>('code')
  const isApp = kind === 'code'
  return (
    <AuthLayout
      page="signIn"
      title={t(($) => $.secondStep.title)}
      subtitle={t(($) => (isApp ? $.secondStep.subtitle : $.secondStep.recoverySubtitle))}
      footer={
        <Button variant="link" onClick={onBack}>
          {t(($) => $.secondStep.back)}
        </Button>
      }
    >
      <CodeForm key={kind} kind={kind} challenge={challenge} returnTo={returnTo} />
      <Button variant="link" className="mt-4" onClick={() => setKind(isApp ? 'recoveryCode' : 'code')}>
        {t(($) => (isApp ? $.secondStep.useRecovery : $.secondStep.useApp))}
      </Button>
    </AuthLayout>
  )
}

type CodeFormProps = { kind: 'code' | 'recoveryCode'; challenge: string; returnTo: string }

function CodeForm({ kind, challenge, returnTo }: CodeFormProps) {
  const { t } = useTranslation('auth')
  const session = useSession()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isApp = kind === 'code'

  async function submit(event: FormEvent) {
    event.preventDefault()
    setFailure(null)
    setBusy(true)
    try {
      await verifySecondStep(challenge, isApp ? { code: text } : { recoveryCode: text })
      await session.begin()
      await navigate(returnTo, { replace: true })
    } catch (error) {
      const isMisspelt = error instanceof HttpError && error.code === 'VALIDATION_ERROR'
      const failed = t(($) => $.signIn.failed)
      setFailure(isMisspelt ? t(($) => $.secondStep.misspelt) : describeAuthError(error, failed))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
      <Field label={t(($) => (isApp ? $.secondStep.code : $.secondStep.recoveryCode))} isRequired>
        <Input
          autoComplete={isApp ? 'one-time-code' : 'off'}
          inputMode={isApp ? 'numeric' : 'text'}
          spellCheck={false}
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} disabled={text.trim() === ''}>
        {t(($) => $.secondStep.submit)}
      </Button>
    </form>
  )
}
