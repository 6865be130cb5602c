// The dialog in which a flag is set otherwise for one organization.
import { useState } from 'react'
import type { OrganizationChoice } from '#shared/organizations/admin-invites.ts'
import type { Flag } from '#shared/organizations/flags.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { OrganizationField } from '../organization-field.tsx'

type OverrideDialogProps = { flag: Flag; onClose: () => void }

/** Open while mounted. At first the opposite of the flag is chosen. */
export function OverrideDialog({ flag, onClose }: OverrideDialogProps) {
  const { t } = useTranslation('admin')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={t(($) => $.flags.exceptTitle, { key: flag.key })}
        description={t(($) => $.flags.exceptBody)}
      >
        <OverrideForm flag={flag} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function OverrideForm({ flag: { key, isEnabled, overrides }, onClose }: OverrideDialogProps) {
  const { t } = useTranslation(['admin', 'common'])
  const setOverride = useMutation(api.admin.flags.setOverride, { hasToast: false })
  const [organization, setOrganization] = useState<OrganizationChoice | null>(null)
  const [value, setValue] = useState<'on' | 'off'>(isEnabled ? 'off' : 'on')
  const [isMissing, setMissing] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function submit() {
    setMissing(!organization)
    setFailure(null)
    if (!organization) return
    const { _id: organizationId, name } = organization
    setBusy(true)
    try {
      await setOverride({ key, organizationId, enabled: value === 'on' })
      toast.success(t(($) => $.flags.exceptionSaved, { name }))
      onClose()
    } catch (error) {
      setFailure(describeError(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <OrganizationField
        value={organization}
        onChange={(next) => {
          setOrganization(next)
          setMissing(false)
        }}
        without={overrides.map(({ organizationId }) => organizationId)}
        error={isMissing ? t(($) => $.organization.missing) : undefined}
      />
      <RadioGroup
        label={t(($) => $.flags.value)}
        value={value}
        onValueChange={setValue}
        options={(['on', 'off'] as const).map((each) => ({ value: each, label: t(($) => $.flags[each]) }))}
      />
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.action.cancel, { ns: 'common' })}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {t(($) => $.flags.save)}
        </Button>
      </DialogFooter>
    </form>
  )
}
