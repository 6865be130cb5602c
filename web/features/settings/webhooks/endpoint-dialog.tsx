// The dialog that makes an endpoint and shows its secret once, or changes one.
import { useState } from 'react'
import type { WebhookEndpoint } from '#shared/webhooks/webhooks.ts'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { NewSecret } from './new-secret.tsx'

/** Open while mounted. Without an endpoint it makes one. */
export function EndpointDialog({ endpoint, onClose }: { endpoint?: WebhookEndpoint; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const [secret, setSecret] = useState<string | null>(null)
  const title = secret ? t(($) => $.secretTitle) : t(($) => (endpoint ? $.editTitle : $.createTitle))
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={title} className="sm:max-w-xl">
        {secret ? (
          <NewSecret secret={secret} onClose={onClose} />
        ) : (
          <EndpointForm endpoint={endpoint} onMade={setSecret} onClose={onClose} />
        )}
      </DialogContent>
    </Dialog>
  )
}
