// Disconnecting a bot or a number from its agent.
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { isMessenger } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName } from '#web/lib/server/connections.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** Asks first, and returns to the list afterwards. */
export function DisconnectSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { channel } = connection
  const { title, hint, question } = useDisconnectWords(channel)
  const disconnect = useAction(api.channels[isMessenger(channel) ? 'messengers' : channel].disconnect)
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
      await navigate({ pathname: paths.channel(channel), search })
    } catch {
      setBusy(false) // the toast shows the error; the dialog stays
    }
  }

  return (
    <CardSection title={title} description={hint}>
      <Button className="text-destructive-soft-foreground" onClick={() => setAsking(true)}>
        {t(($) => $.connection.disconnect)}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t(($) => $.connection.disconnectTitle, { name })}
        description={question}
        cancelLabel={t(($) => $.connection.disconnectCancel)}
        confirmLabel={t(($) => $.connection.disconnectConfirm)}
        onConfirm={confirm}
        isDestructive
        isBusy={isBusy}
      />
    </CardSection>
  )
}

function useDisconnectWords(channel: ChannelConnection['channel']) {
  const { t } = useTranslation('channels')
  if (isMessenger(channel)) {
    return {
      title: t(($) => $.messenger.disconnectSection),
      hint: t(($) => $.messenger.disconnectHint),
      question: t(($) => $.messenger.disconnectBody),
    }
  }
  return {
    title: t(($) => $.connection.disconnectSection[channel]),
    hint: t(($) => $.connection.disconnectHint[channel]),
    question: t(($) => $.connection.disconnectBody[channel]),
  }
}
