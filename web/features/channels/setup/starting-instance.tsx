// A starting instance: how long that may take, and what to do when it takes longer.
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { WHATSAPP_START_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { Countdown, usePassed } from './countdown.tsx'

/** `since`: when the start began, milliseconds. */
export function StartingInstance({ connection, since }: { connection: ChannelConnection; since: number }) {
  const { t } = useTranslation('channels')
  const until = since + WHATSAPP_START_MS
  const isLate = usePassed(until)
  const reboot = useAction(api.channels.whatsapp.reboot)
  const [isBusy, setBusy] = useState(false)
  if (!isLate) {
    return (
      <Countdown until={until} totalMs={WHATSAPP_START_MS} label={t(($) => $.whatsappLink.startLabel)}>
        {(seconds) => t(($) => $.whatsappLink.startLeft, { minutes: Math.ceil(seconds / 60) })}
      </Countdown>
    )
  }
  const restart = async () => {
    setBusy(true)
    await reboot({ connectionId: connection._id }).catch(() => undefined) // the toast shows the error
    setBusy(false)
  }
  return (
    <Alert tone="warning" title={t(($) => $.whatsappLink.lateTitle)}>
      <p>{t(($) => $.whatsappLink.lateBody)}</p>
      <Button size="sm" className="mt-2" isBusy={isBusy} onClick={restart}>
        <RotateCw aria-hidden="true" />
        {t(($) => $.whatsappInstance.reboot)}
      </Button>
    </Alert>
  )
}
