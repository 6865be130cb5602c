// What is asked before an endpoint gets another secret, or is deleted.
import { useRef, useState } from 'react'
import { WEBHOOK_ROTATION_HOURS } from '#shared/webhooks/webhook-limits.ts'
import type { WebhookEndpoint } from '#shared/webhooks/webhooks.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction, useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { NewSecret } from './new-secret.tsx'
import { useWebhooksView } from './use-webhooks-view.ts'

type QuestionProps = { endpoint: WebhookEndpoint; onClose: () => void }

/** Open while mounted; after the question it shows the new secret. */
export function RotateDialog({ endpoint, onClose }: QuestionProps) {
  const { t } = useTranslation('webhooks')
  const rotate = useAction(api.webhooks.rotateSecret)
  const [secret, setSecret] = useState<string | null>(null)
  const isRotated = useRef(false)
  if (secret !== null) {
    return (
      <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
        <DialogContent title={t(($) => $.secretTitle)}>
          <NewSecret secret={secret} isRotated onClose={onClose} />
        </DialogContent>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={t(($) => $.rotateTitle)}
      description={t(($) => $.rotateBody, { count: WEBHOOK_ROTATION_HOURS })}
      confirmLabel={t(($) => $.rotate)}
      onConfirm={async () => {
        const made = await rotate({ endpointId: endpoint._id })
        isRotated.current = true
        setSecret(made.secret)
      }}
      onClose={() => !isRotated.current && onClose()} // its own success closes it too: then the secret takes its place
    />
  )
}

/** Open while mounted. */
export function DeleteDialog({ endpoint, onClose }: QuestionProps) {
  const { t } = useTranslation('webhooks')
  const remove = useMutation(api.webhooks.remove)
  const [, setView] = useWebhooksView()
  return (
    <ConfirmDialog
      title={t(($) => $.deleteTitle)}
      description={t(($) => $.deleteBody)}
      confirmLabel={t(($) => $.delete)}
      isDestructive
      onConfirm={async () => {
        await remove({ endpointId: endpoint._id })
        toast.success(t(($) => $.deleted))
        await setView({ endpoint: null, state: null, delivery: null })
      }}
      onClose={onClose}
    />
  )
}
