// What has come of invitations: a letter on its way, or a link to hand on. A link is shown once.
import type { CreatedInvite } from '#shared/organizations/members.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

export type MadeInvite = { email: string; made: CreatedInvite }

/** One block for each invitation. */
export function InviteLinks({ invites }: { invites: MadeInvite[] }) {
  const { t } = useTranslation('settings')
  const isSent = invites.every(({ made }) => made.isSent)
  return (
    <div className="flex flex-col gap-4">
      <Alert tone={isSent ? 'success' : 'warning'}>
        {isSent ? `${t(($) => $.invites.sent)} ${t(($) => $.invites.linkToo)}` : t(($) => $.invites.link)}
      </Alert>
      <ul className="flex flex-col gap-3">
        {invites.map(({ email, made }) => (
          <li key={made._id}>
            <p className="mb-1 break-all font-medium text-[0.8125rem]">{email}</p>
            <div className="flex items-center gap-2 rounded-lg border border-border bg-muted px-3 py-2">
              <code className="min-w-0 flex-1 select-all break-all text-[0.8125rem]">{made.link}</code>
              <CopyButton text={made.link} label={t(($) => $.invites.copyLink, { email })} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** After an invitation was sent again. */
export function ResentDialog({ email, made, onClose }: MadeInvite & { onClose: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => $.invites.resentTitle, { email })} description={t(($) => $.invites.oldLink)}>
        <InviteLinks invites={[{ email, made }]} />
        <DialogFooter>
          <Button variant="primary" onClick={onClose}>
            {t(($) => $.invites.done)}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
