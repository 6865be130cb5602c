// The questions before an organization is suspended and before it goes on.
import type { AdminOrganization } from '#shared/organizations/admin.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { ReasonDialog } from '../reason-dialog.tsx'

export type StandingAct = { what: 'suspend' | 'resume'; organization: Pick<AdminOrganization, '_id' | 'name'> }
type StandingDialogProps = { act: StandingAct; onClose: () => void }

/** Open while mounted. */
export function StandingDialog({ act, onClose }: StandingDialogProps) {
  return act.what === 'suspend' ? (
    <SuspendDialog act={act} onClose={onClose} />
  ) : (
    <ResumeDialog act={act} onClose={onClose} />
  )
}

function SuspendDialog({ act: { organization }, onClose }: StandingDialogProps) {
  const { t } = useTranslation('admin')
  const suspend = useMutation(api.admin.organizations.suspend, { hasToast: false })
  const { _id: organizationId, name } = organization
  return (
    <ReasonDialog
      title={t(($) => $.organizations.suspendTitle, { name })}
      description={t(($) => $.organizations.suspendBody)}
      hint={t(($) => $.organizations.suspendHint)}
      confirmLabel={t(($) => $.organizations.suspend)}
      onConfirm={async (reason) => {
        await suspend({ organizationId, reason })
        toast.success(t(($) => $.organizations.suspendDone, { name }))
      }}
      onClose={onClose}
    />
  )
}

function ResumeDialog({ act: { organization }, onClose }: StandingDialogProps) {
  const { t } = useTranslation('admin')
  const resume = useMutation(api.admin.organizations.resume)
  const { _id: organizationId, name } = organization
  return (
    <ConfirmDialog
      title={t(($) => $.organizations.resumeTitle, { name })}
      description={t(($) => $.organizations.resumeBody)}
      confirmLabel={t(($) => $.organizations.resume)}
      onConfirm={async () => {
        await resume({ organizationId })
        toast.success(t(($) => $.organizations.resumeDone, { name }))
      }}
      onClose={onClose}
    />
  )
}
