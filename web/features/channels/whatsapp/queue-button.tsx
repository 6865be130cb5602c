// Dropping what the provider has taken of a number's messages and not sent, after asking.
import { useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type QueueButtonProps = { connectionId: ChannelConnection['_id']; onCleared?: () => unknown }

/** A toast tells how many there were. */
export function QueueButton({ connectionId, onCleared }: QueueButtonProps) {
  const { t } = useTranslation('channels')
  const clearQueue = useAction(api.channels.whatsapp.clearQueue)
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function clear() {
    setBusy(true)
    try {
      const { dropped } = await clearQueue({ connectionId })
      toast.success(t(($) => $.whatsappQueue.cleared, { count: dropped }))
      setAsking(false)
      await onCleared?.()
    } catch {
      // the toast shows the error; the dialog stays
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        {t(($) => $.whatsappQueue.clear)}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t(($) => $.whatsappQueue.title)}
        description={t(($) => $.whatsappQueue.body)}
        cancelLabel={t(($) => $.whatsappQueue.cancel)}
        confirmLabel={t(($) => $.whatsappQueue.clear)}
        onConfirm={clear}
        isDestructive
        isBusy={isBusy}
      />
    </>
  )
}
