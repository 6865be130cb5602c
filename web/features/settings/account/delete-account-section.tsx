// Deleting the account.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { deleteAccount } from '#web/lib/sign-in/auth.ts'
import { fetchTwoStep, TWO_STEP_KEY } from '#web/lib/sign-in/two-step.ts'
import { PasswordForm } from './one-field-form.tsx'

/** An organization whose only member the person is goes with it. */
export function DeleteAccountSection() {
  const { t } = useTranslation('security')
  const status = useFetched(TWO_STEP_KEY, fetchTwoStep)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  return (
    <CardSection title={t(($) => $.deleteAccount.title)} description={t(($) => $.deleteAccount.description)}>
      <Button variant="destructive" disabled={!status.value} onClick={() => setOpen(true)}>
        {t(($) => $.deleteAccount.open)}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        <DialogContent title={t(($) => $.deleteAccount.title)} description={t(($) => $.deleteAccount.body)}>
          <PasswordForm
            hasPassword={status.value?.hasPassword ?? true}
            submitLabel={t(($) => $.deleteAccount.submit)}
            isDestructive
            onSubmit={async (password) => {
              await deleteAccount(password)
              await navigate(paths.signUp, { replace: true })
              window.location.reload()
            }}
          />
        </DialogContent>
      </Dialog>
    </CardSection>
  )
}
