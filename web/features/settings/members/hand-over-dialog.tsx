// The question before the organization gets another owner.
import type { MemberDetails } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import { TypedNameDialog } from '#web/components/typed-name-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'

/** Asks for the name of the organization: only the new owner can undo this. */
export function HandOverDialog({ member, onClose }: { member: MemberDetails; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { name: organization } = useOrganization()
  const handOver = useMutation(api.organizations.members.handOver)
  const name = member.name || member.email
  return (
    <TypedNameDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      name={organization}
      title={t(($) => $.members.handOverTitle, { name })}
      description={t(($) => $.members.handOverBody)}
      losses={[
        t(($) => $.members.handOverNew, { name }),
        t(($) => $.members.handOverOld),
        t(($) => $.members.handOverBack, { name }),
      ]}
      label={t(($) => $.members.handOverLabel, { organization })}
      confirmLabel={t(($) => $.members.handOverConfirm)}
      onConfirm={async () => {
        await handOver({ userId: member._id })
        toast.success(t(($) => $.members.handedOver, { name }))
      }}
    />
  )
}
