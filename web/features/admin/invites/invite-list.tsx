// The invitations that are found, with what can be done while they are open.
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { AdminInvite, InviteFilters } from '#shared/organizations/admin-invites.ts'
import type { CreatedInvite } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useLastLoaded } from '#web/components/lists/use-steady.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, usePaginatedQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { InviteRow } from './invite-row.tsx'
import { MadeDialog } from './made-invite.tsx'

const PAGE_SIZE = 25

type InviteListProps = {
  filters: InviteFilters
  emptyIcon: LucideIcon
  onShowAll: () => void
  onInvite: () => void
}

/** The newest first. */
export function InviteList({ filters, emptyIcon, onShowAll, onInvite }: InviteListProps) {
  const { t } = useTranslation('admin')
  const pages = usePaginatedQuery(api.admin.invites.list, filters, { initialNumItems: PAGE_SIZE })
  const [revoked, setRevoked] = useState<AdminInvite | null>(null)
  const [resent, setResent] = useState<{ email: string; made: CreatedInvite } | null>(null)
  const invites = useLastLoaded<AdminInvite[]>(pages.status === 'LoadingFirstPage' ? undefined : pages.results)
  if (!invites) {
    return (
      <Delayed>
        <Skeleton className="h-48" />
      </Delayed>
    )
  }
  const isFiltered = filters.status !== undefined || Boolean(filters.search)
  return (
    <>
      {invites.length === 0 && (
        <EmptyState
          icon={emptyIcon}
          title={t(($) => (isFiltered ? $.invites.notFound : $.invites.none))}
          description={t(($) => (isFiltered ? $.invites.notFoundHint : $.invites.noneHint))}
          action={
            <Button isForReading={isFiltered} onClick={isFiltered ? onShowAll : onInvite}>
              {t(($) => (isFiltered ? $.invites.showAll : $.invites.invite))}
            </Button>
          }
        />
      )}
      {invites.length > 0 && (
        <ul className="divide-y divide-border" aria-label={t(($) => $.invites.title)}>
          {invites.map((invite) => (
            <InviteRow
              key={invite._id}
              invite={invite}
              onRevoke={setRevoked}
              onResent={(email, made) => setResent({ email, made })}
            />
          ))}
        </ul>
      )}
      {pages.status === 'CanLoadMore' && (
        <Button isForReading className="self-center" onClick={() => pages.loadMore(PAGE_SIZE)}>
          {t(($) => $.more)}
        </Button>
      )}
      {revoked && <RevokeDialog invite={revoked} onClose={() => setRevoked(null)} />}
      {resent && <MadeDialog {...resent} isRenewed onClose={() => setResent(null)} />}
    </>
  )
}

function RevokeDialog({ invite: { _id, email }, onClose }: { invite: AdminInvite; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const revoke = useMutation(api.admin.invites.revoke)
  return (
    <ConfirmDialog
      title={t(($) => $.invites.revokeTitle, { email })}
      description={t(($) => $.invites.revokeBody)}
      confirmLabel={t(($) => $.invites.revoke)}
      isDestructive
      onConfirm={async () => {
        await revoke({ inviteId: _id })
        toast.success(t(($) => $.invites.revoked, { email }))
      }}
      onClose={onClose}
    />
  )
}
