// The questions before a member goes: what happens to their access and to what they have in hand.
import type { MemberDetails } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'

/** Before a colleague is removed. */
export function RemoveDialog({ member, onClose }: { member: MemberDetails; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const remove = useMutation(api.organizations.members.remove)
  const name = member.name || member.email
  return (
    <ConfirmDialog
      title={t(($) => $.members.removeTitle, { name })}
      description={t(($) => $.members.removeBody)}
      confirmLabel={t(($) => $.members.removeConfirm)}
      onConfirm={async () => {
        await remove({ userId: member._id })
        toast.success(t(($) => $.members.removed, { name }))
      }}
      onClose={onClose}
      isDestructive
    />
  )
}

/** Before the person leaves; the guard then shows another organization of theirs. */
export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { name: organization } = useOrganization()
  const leave = useMutation(api.organizations.members.leave)
  return (
    <ConfirmDialog
      title={t(($) => $.members.leaveTitle, { organization })}
      description={t(($) => $.members.leaveBody)}
      confirmLabel={t(($) => $.members.leaveConfirm)}
      onConfirm={async () => void (await leave({}))}
      onClose={onClose}
      isDestructive
    />
  )
}
