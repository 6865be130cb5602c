// One invitation: for whom, its state, and what can be done while it is open.
import { useState } from 'react'
import type { CreatedInvite, Invite, InviteState } from '#shared/organizations/members.ts'
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
  invite: Invite
  onRevoke: (invite: Invite) => void
  onResent: (email: string, made: CreatedInvite) => void
}

/** On phones the buttons stand below. */
export function InviteRow({ invite, onRevoke, onResent }: InviteRowProps) {
  const { t } = useTranslation(['settings', 'common'])
  const { email, role, state, invitedBy } = invite
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 break-all font-medium">{email}</span>
          <Badge tone={TONES[state]}>{t(($) => $.invites.states[state])}</Badge>
        </p>
        <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground">
          <span>{t(($) => $.roles[role], { ns: 'common' })}</span>
          <span>
            <Moment invite={invite} />
          </span>
          {invitedBy && <span>{t(($) => $.invites.by, { name: invitedBy })}</span>}
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
function Moment({ invite: { state, createdAt, expiresAt, acceptedAt } }: { invite: Invite }) {
  const { t } = useTranslation('settings')
  const label = {
    pending: t(($) => $.invites.expires),
    expired: t(($) => $.invites.expiredAt),
    accepted: t(($) => $.invites.acceptedAt),
    revoked: t(($) => $.invites.createdAt),
  }[state]
  const at = { pending: expiresAt, expired: expiresAt, accepted: acceptedAt ?? expiresAt, revoked: createdAt }[state]
  return (
    <>
      {label}: <DateTime at={at} />
    </>
  )
}

function Resend({ invite, onResent }: Pick<InviteRowProps, 'invite' | 'onResent'>) {
  const { t } = useTranslation('settings')
  const resend = useMutation(api.organizations.invites.resend)
  const [isBusy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    const made = await resend({ inviteId: invite._id }).catch(() => null) // reported in a toast
    setBusy(false)
    if (made) onResent(invite.email, made)
  }
  return (
    <Button
      size="sm"
      isBusy={isBusy}
      aria-label={t(($) => $.invites.resendOf, { email: invite.email })}
      onClick={() => void send()}
    >
      {t(($) => $.invites.resend)}
    </Button>
  )
}
