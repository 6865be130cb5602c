// What Telegram says of its delivery to us, and the way to put it right.
import { useState } from 'react'
import type { ChannelConnection, DeliveryCheck, WebhookAddress } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { Fact } from '../connection/fact.tsx'

/** Calls Telegram only when the user presses a button; its last answer stays on the page. */
export function TelegramDeliverySection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const sync = useAction(api.channels.telegram.sync)
  const reregister = useAction(api.channels.telegram.reregister)
  const [busy, setBusy] = useState<'sync' | 'reregister' | null>(null)
  const run = async (name: 'sync' | 'reregister', call: typeof sync) => {
    setBusy(name)
    try {
      const { status } = await call({ connectionId: connection._id })
      if (status === 'connected') toast.success(t(($) => $.telegramCare[name === 'sync' ? 'checked' : 'reregistered']))
    } catch {
      // the toast of the call shows the error
    } finally {
      setBusy(null)
    }
  }
  return (
    <CardSection title={t(($) => $.telegramCare.title)} description={t(($) => $.telegramCare.body)}>
      <div className="flex flex-col gap-4">
        {connection.deliveryCheck && <Report check={connection.deliveryCheck} />}
        <dl>
          <WebhookFact connectionId={connection._id} />
        </dl>
      </div>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button onClick={() => run('sync', sync)} isBusy={busy === 'sync'} disabled={busy !== null}>
          {t(($) => $.telegramCare.check)}
        </Button>
        <Button onClick={() => run('reregister', reregister)} isBusy={busy === 'reregister'} disabled={busy !== null}>
          {t(($) => $.telegramCare.reregister)}
        </Button>
      </div>
    </CardSection>
  )
}

/** Loaded when it is asked to be shown: the address is a secret. */
function WebhookFact({ connectionId }: Record<'connectionId', ChannelConnection['_id']>) {
  const { t } = useTranslation('channels')
  const read = useAction(api.channels.telegram.webhook)
  const [address, setAddress] = useState<WebhookAddress | null>(null)
  const show = async () => setAddress(await read({ connectionId }).catch(() => null))
  return (
    <Fact
      label={t(($) => $.telegramCare.webhook)}
      hint={address?.isWhole === false ? t(($) => $.telegramCare.webhookPart) : undefined}
      isWide
    >
      {address ? (
        <span className="break-all font-mono text-xs">{address.url ?? t(($) => $.telegramCare.webhookNone)}</span>
      ) : (
        <Button onClick={show}>{t(($) => $.telegramCare.webhookShow)}</Button>
      )}
    </Fact>
  )
}

function Report({ check }: { check: DeliveryCheck }) {
  const { t } = useTranslation('channels')
  const { at, isOurs, pending, lastError } = check
  return (
    <>
      {!isOurs && <Alert tone="warning">{t(($) => $.telegramCare.elsewhere)}</Alert>}
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Fact label={t(($) => $.telegramCare.pending)} hint={t(($) => $.telegramCare.pendingHint)}>
          {formatNumber(pending)}
        </Fact>
        <Fact label={t(($) => $.telegramCare.checkedAt)}>
          <RelativeTime at={at} />
        </Fact>
        {lastError && (
          <Fact label={t(($) => $.telegramCare.failure)} isWide>
            {lastError.text} (<RelativeTime at={lastError.at} />)
          </Fact>
        )}
      </dl>
    </>
  )
}
