// Setting up two-step sign-in: the password, the key for the app, a code that confirms it, the recovery codes.
import { useState } from 'react'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { forgetFetched } from '#web/lib/server/query-client.ts'
import { confirmTwoStep, enableTwoStep, TWO_STEP_KEY, type TwoStepKey } from '#web/lib/sign-in/two-step.ts'
import { OneFieldForm, PasswordForm } from './one-field-form.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type TwoStepSetupProps = {
  hasPassword: boolean
  /** True before the code is sent, false when it was refused. */
  onConfirming?: (isConfirming: boolean) => void
  onDone: () => void
}

/** It is on from the moment at which a code was accepted. */
export function TwoStepSetup({ hasPassword, onConfirming, onDone }: TwoStepSetupProps) {
  const { t } = useTranslation('security')
  const [key, setKey] = useState<TwoStepKey | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) {
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          forgetFetched(TWO_STEP_KEY)
          onDone()
        }}
      />
    )
  }
  if (key) return <ConfirmKey twoStep={key} onConfirming={onConfirming} onConfirmed={setCodes} />
  return (
    <PasswordForm
      hasPassword={hasPassword}
      submitLabel={t(($) => $.twoStep.begin)}
      onSubmit={async (password) => setKey(await enableTwoStep(password))}
    />
  )
}

type ConfirmKeyProps = {
  twoStep: TwoStepKey
  onConfirming: ((isConfirming: boolean) => void) | undefined
  onConfirmed: (codes: string[]) => void
}

function ConfirmKey({ twoStep, onConfirming, onConfirmed }: ConfirmKeyProps) {
  const { t } = useTranslation('security')
  const shown = twoStep.key.match(/.{1,4}/g)?.join(' ') ?? twoStep.key

  async function confirm(code: string) {
    onConfirming?.(true)
    try {
      onConfirmed(await confirmTwoStep(code))
    } catch (error) {
      onConfirming?.(false)
      throw error
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <p>{t(($) => $.twoStep.scan)}</p>
      <QrCode text={twoStep.totpURI} label={t(($) => $.twoStep.qr)} />
      <p className="text-muted-foreground">{t(($) => $.twoStep.orType)}</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 break-words rounded-md bg-muted px-2 py-1 font-mono text-[0.8125rem]">{shown}</code>
        <CopyButton text={twoStep.key} label={t(($) => $.twoStep.copyKey)} />
      </div>
      <OneFieldForm
        label={t(($) => $.twoStep.code)}
        submitLabel={t(($) => $.twoStep.confirm)}
        autoComplete="one-time-code"
        inputMode="numeric"
        onSubmit={confirm}
      />
    </div>
  )
}

/** Says how many recovery codes are left where they are few. */
export function FewCodes({ left }: { left: number }) {
  const { t } = useTranslation('security')
  if (left > 3) return null
  return <Alert tone="warning">{t(($) => $.twoStep.few, { count: left })}</Alert>
}

/** A button that opens one of the forms. */
export function OpenButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="sm" onClick={onClick}>
      {label}
    </Button>
  )
}
