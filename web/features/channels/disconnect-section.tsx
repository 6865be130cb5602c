// Taking a bot or a number off its agent.
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ChannelConnection } from '#shared/channels.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { connectionName } from '#web/lib/connections.ts'
import { useAction } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'

/** Asks first, and returns to the list afterwards. */
export function DisconnectSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { channel } = connection
  const disconnect = useAction(api.channels[channel].disconnect)
  const navigate = useNavigate()
  const { search } = useLocation()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const name = connectionName(connection)

  async function confirm() {
    setBusy(true)
    try {
      await disconnect({ connectionId: connection._id })
      toast.success(t(($) => $.connection.disconnected, { name }))
      await navigate({ pathname: paths[channel], search })
    } catch {
      setBusy(false) // the toast has told; the dialog stays
    }
  }

  return (
    <CardSection
      title={t(($) => $.connection.disconnectSection[channel])}
      description={t(($) => $.connection.disconnectHint[channel])}
    >
      <Button className="text-destructive-soft-foreground" onClick={() => setAsking(true)}>
        {t(($) => $.connection.disconnect)}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t(($) => $.connection.disconnectTitle, { name })}
        description={t(($) => $.connection.disconnectBody[channel])}
        cancelLabel={t(($) => $.connection.disconnectCancel)}
        confirmLabel={t(($) => $.connection.disconnectConfirm)}
        onConfirm={confirm}
        isDestructive
        isBusy={isBusy}
      />
    </CardSection>
  )
}
