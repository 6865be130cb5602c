// One invitation: for whom, into what, its state, and what can be done while it is open.
import { useState } from 'react'
import type { AdminInvite } from '#shared/organizations/admin-invites.ts'
import type { CreatedInvite, InviteState } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

const TONES = {
  pending: 'primary',
  accepted: 'success',
  revoked: 'neutral',
  expired: 'warning',
} as const satisfies Record<InviteState, string>

type InviteRowProps = {
  invite: AdminInvite
  onRevoke: (invite: AdminInvite) => void
  onResent: (email: string, made: CreatedInvite) => void
}

/** A list item; on phones the buttons stand below. */
export function InviteRow({ invite, onRevoke, onResent }: InviteRowProps) {
  const { t } = useTranslation(['admin', 'common'])
  const { email, role, state, organization, invitedBy } = invite
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 break-all font-medium">{email}</span>
          <Badge tone={TONES[state]}>{t(($) => $.invites.states[state])}</Badge>
        </p>
        <p className="break-words text-[0.8125rem]">
          {organization.name} · {t(($) => $.roles[role], { ns: 'common' })}
        </p>
        <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground">
          <span>
            <Moment invite={invite} />
          </span>
          {invitedBy && <span className="break-words">{t(($) => $.invites.by, { name: invitedBy })}</span>}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {(state === 'pending' || state === 'expired') && <Resend invite={invite} onResent={onResent} />}
        {state === 'pending' && (
          <Button size="sm" aria-label={t(($) => $.invites.revokeOf, { email })} onClick={() => onRevoke(invite)}>
            {t(($) => $.invites.revoke)}
          </Button>
        )}
      </div>
    </li>
  )
}

/** When it ends, or has ended; of a revoked one when it was made. */
function Moment({ invite: { state, createdAt, expiresAt, acceptedAt } }: { invite: AdminInvite }) {
  const { t } = useTranslation('admin')
  const at = { pending: expiresAt, expired: expiresAt, accepted: acceptedAt ?? expiresAt, revoked: createdAt }[state]
  return (
    <>
      {t(($) => $.invites.moments[state])}: <DateTime at={at} />
    </>
  )
}

function Resend({ invite: { _id, email }, onResent }: Pick<InviteRowProps, 'invite' | 'onResent'>) {
  const { t } = useTranslation('admin')
  const resend = useMutation(api.admin.invites.resend)
  const [isBusy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    const made = await resend({ inviteId: _id }).catch(() => null) // reported in a toast
    setBusy(false)
    if (made) onResent(email, made)
  }
  return (
    <Button size="sm" isBusy={isBusy} aria-label={t(($) => $.invites.resendOf, { email })} onClick={() => void send()}>
      {t(($) => $.invites.resend)}
    </Button>
  )
}
