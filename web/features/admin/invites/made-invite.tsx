// What has come of an invitation: a letter on its way, or a link to hand on. A link is shown once.
import type { CreatedInvite } from '#shared/organizations/members.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type Made = { email: string; made: CreatedInvite }

/** The link, with a button that copies it. */
export function MadeInvite({ email, made: { link, isSent }, onClose }: Made & { onClose: () => void }) {
  const { t } = useTranslation('admin')
  return (
    <div className="flex flex-col gap-5">
      <Alert tone={isSent ? 'success' : 'warning'}>{t(($) => (isSent ? $.invites.sent : $.invites.notSent))}</Alert>
      <div>
        <p className="mb-1 break-all font-medium text-[0.8125rem]">{email}</p>
        <div className="flex items-center gap-2 rounded-lg border border-border bg-muted px-3 py-2">
          <code className="min-w-0 flex-1 select-all break-all text-[0.8125rem]">{link}</code>
          <CopyButton text={link} label={t(($) => $.invites.copyLink, { email })} />
        </div>
      </div>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t(($) => $.invites.done)}
        </Button>
      </DialogFooter>
    </div>
  )
}

/** `isRenewed`: the link before has stopped working. */
export function MadeDialog({ onClose, isRenewed, ...made }: Made & { isRenewed: boolean; onClose: () => void }) {
  const { t } = useTranslation('admin')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={t(($) => $.invites.madeTitle)}
        {...(isRenewed && { description: t(($) => $.invites.oldLink) })}
      >
        <MadeInvite {...made} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}
