// Invitations: those that wait, those that are over, and the way to a new one.
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { CreatedInvite, Invite, MemberDetails } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { ResentDialog } from './invite-links.tsx'
import { InviteRow } from './invite-row.tsx'

/** For those who may invite. Live. */
export function InvitesSection() {
  const { t } = useTranslation('settings')
  const invites: Invite[] | undefined = useQuery(api.organizations.invites.list, {})
  const members: MemberDetails[] | undefined = useQuery(api.organizations.members.list, {})
  const [isInviting, setInviting] = useState(false)
  const [revoked, setRevoked] = useState<Invite | null>(null)
  const [resent, setResent] = useState<{ email: string; made: CreatedInvite } | null>(null)
  const isAlone = members?.length === 1 && invites?.length === 0
  const button = (
    <Button variant="primary" size="sm" onClick={() => setInviting(true)}>
      <UserPlus aria-hidden="true" />
      {t(($) => $.invites.invite)}
    </Button>
  )
  return (
    <CardSection
      title={t(($) => $.invites.title)}
      description={t(($) => $.invites.description)}
      actions={isAlone ? undefined : button}
    >
      {!invites && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      {isAlone && (
        <EmptyState
          icon={UserPlus}
          title={t(($) => $.invites.none)}
          description={t(($) => $.invites.noneBody)}
          action={button}
          className="py-8"
        />
      )}
      {invites && !isAlone && (
        <Lists invites={invites} onRevoke={setRevoked} onResent={(email, made) => setResent({ email, made })} />
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {revoked && <RevokeDialog invite={revoked} onClose={() => setRevoked(null)} />}
      {resent && <ResentDialog {...resent} onClose={() => setResent(null)} />}
    </CardSection>
  )
}

type ListsProps = {
  invites: Invite[]
  onRevoke: (invite: Invite) => void
  onResent: (email: string, made: CreatedInvite) => void
}

/** Expired ones can be sent again; what is over stands folded below. */
function Lists({ invites, onRevoke, onResent }: ListsProps) {
  const { t } = useTranslation('settings')
  const isOpen = ({ state }: Invite) => state === 'pending' || state === 'expired'
  const open = invites.filter(isOpen)
  const over = invites.filter((invite) => !isOpen(invite))
  const rows = (list: Invite[]) => (
    <ul className="divide-y divide-border">
      {list.map((invite) => (
        <InviteRow key={invite._id} invite={invite} onRevoke={onRevoke} onResent={onResent} />
      ))}
    </ul>
  )
  return (
    <>
      {open.length === 0 ? <p className="text-muted-foreground">{t(($) => $.invites.nonePending)}</p> : rows(open)}
      {over.length > 0 && (
        <details className="mt-4">
          <summary className="w-fit cursor-pointer rounded py-1 font-medium text-muted-foreground hover:text-foreground">
            {t(($) => $.invites.earlier, { total: over.length })}
          </summary>
          <div className="mt-3">{rows(over)}</div>
        </details>
      )}
    </>
  )
}

function RevokeDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const revoke = useMutation(api.organizations.invites.revoke)
  return (
    <ConfirmDialog
      title={t(($) => $.invites.revokeTitle, { email: invite.email })}
      description={t(($) => $.invites.revokeBody)}
      confirmLabel={t(($) => $.invites.revoke)}
      onConfirm={async () => {
        await revoke({ inviteId: invite._id })
        toast.success(t(($) => $.invites.revoked))
      }}
      onClose={onClose}
      isDestructive
    />
  )
}
