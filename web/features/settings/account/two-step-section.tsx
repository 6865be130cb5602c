// Two-step sign-in of the account: on or off, and its recovery codes.
import { useState } from 'react'
import { Alert } from '#web/components/ui/alert.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { forgetFetched, useFetched } from '#web/lib/server/query-client.ts'
import {
  disableTwoStep,
  fetchTwoStep,
  renewRecoveryCodes,
  TWO_STEP_KEY,
  type TwoStepStatus,
} from '#web/lib/sign-in/two-step.ts'
import { toast } from '#web/lib/toast.ts'
import { PasswordForm } from './one-field-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { FewCodes, OpenButton, TwoStepSetup } from './two-step-setup.tsx'

type Open = 'setup' | 'renew' | 'disable' | null

/** Each change opens a dialog that asks for the password. */
export function TwoStepSection() {
  const { t } = useTranslation('security')
  const status = useFetched(TWO_STEP_KEY, fetchTwoStep)
  const [open, setOpen] = useState<Open>(null)
  return (
    <CardSection
      title={t(($) => $.twoStep.title)}
      description={t(($) => $.twoStep.description)}
      actions={status.value?.isOn && <Badge tone="success">{t(($) => $.twoStep.on)}</Badge>}
    >
      {status.error && <Alert tone="destructive">{t(($) => $.failed)}</Alert>}
      {status.value && (
        <div className="flex flex-col gap-4">
          {status.value.isOn && <FewCodes left={status.value.recoveryCodesLeft} />}
          <div className="flex flex-wrap gap-2">
            {status.value.isOn ? (
              <>
                <OpenButton label={t(($) => $.twoStep.renew)} onClick={() => setOpen('renew')} />
                <OpenButton label={t(($) => $.twoStep.turnOff)} onClick={() => setOpen('disable')} />
              </>
            ) : (
              <Button onClick={() => setOpen('setup')}>{t(($) => $.twoStep.turnOn)}</Button>
            )}
          </div>
          <Dialog open={open !== null} onOpenChange={(isOpen) => !isOpen && close(setOpen)}>
            {open && <TwoStepDialog open={open} status={status.value} onClose={() => close(setOpen)} />}
          </Dialog>
        </div>
      )}
    </CardSection>
  )
}

function close(setOpen: (open: Open) => void): void {
  setOpen(null)
  forgetFetched(TWO_STEP_KEY)
}

type TwoStepDialogProps = { open: 'setup' | 'renew' | 'disable'; status: TwoStepStatus; onClose: () => void }

function TwoStepDialog({ open, status, onClose }: TwoStepDialogProps) {
  const { t } = useTranslation('security')
  const [codes, setCodes] = useState<string[] | null>(null)
  const { hasPassword } = status
  if (open === 'setup') {
    return (
      <DialogContent title={t(($) => $.twoStep.turnOn)} onInteractOutside={(event) => event.preventDefault()}>
        <TwoStepSetup hasPassword={hasPassword} onDone={onClose} />
      </DialogContent>
    )
  }
  if (open === 'renew') {
    return (
      <DialogContent
        title={t(($) => $.twoStep.renew)}
        description={codes ? undefined : t(($) => $.twoStep.renewBody)}
        onInteractOutside={(event) => event.preventDefault()}
      >
        {codes ? (
          <RecoveryCodes codes={codes} onDone={onClose} />
        ) : (
          <PasswordForm
            hasPassword={hasPassword}
            submitLabel={t(($) => $.twoStep.renew)}
            onSubmit={async (password) => setCodes(await renewRecoveryCodes(password))}
          />
        )}
      </DialogContent>
    )
  }
  return (
    <DialogContent title={t(($) => $.twoStep.turnOff)} description={t(($) => $.twoStep.turnOffBody)}>
      <PasswordForm
        hasPassword={hasPassword}
        submitLabel={t(($) => $.twoStep.turnOff)}
        isDestructive
        onSubmit={async (password) => {
          await disableTwoStep(password)
          toast.success(t(($) => $.twoStep.turnedOff))
          onClose()
        }}
      />
    </DialogContent>
  )
}
