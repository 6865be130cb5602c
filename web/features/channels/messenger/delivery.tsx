// Where a messenger's provider delivers: what is entered by hand, and the button that subscribes again and checks that it delivers.
import { useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerWebhook } from '#shared/channels/messenger-inputs.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { SecretBox } from '../connection/secret-box.tsx'

/** Both values, to be copied. */
export function MessengerAddress({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const ask = useAction(api.channels.messengers.webhook, { hasToast: false })
  const fetched = useFetched(['messenger webhook', connection._id], () => ask({ connectionId: connection._id }))
  const value: MessengerWebhook | undefined = fetched.value
  if (fetched.error && !value) return <Alert tone="destructive">{describeError(fetched.error).message}</Alert>
  if (!value) {
    return (
      <Delayed>
        <Skeleton className="h-32 rounded-lg" />
      </Delayed>
    )
  }
  return (
    <>
      {!value.isReachable && <Alert tone="warning">{t(($) => $.messenger.notReachable)}</Alert>}
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">{t(($) => $.messenger.callbackUrl)}</h3>
        <SecretBox text={value.callbackUrl} copyLabel={t(($) => $.messenger.copyCallbackUrl)} />
      </div>
      {value.verifyToken !== null && (
        <div className="flex flex-col gap-1.5">
          <h3 className="font-medium">{t(($) => $.messenger.verifyToken)}</h3>
          <SecretBox text={value.verifyToken} copyLabel={t(($) => $.messenger.copyVerifyToken)} />
        </div>
      )}
    </>
  )
}

/** Shows its result below. */
export function MessengerCheck({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const check = useAction(api.channels.messengers.check, { hasToast: false })
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<{ tone: 'success' | 'warning' | 'destructive'; text: string }>()
  const texts = {
    connected: t(($) => $.messenger.checked),
    pending: t(($) => $.messenger.stillPending),
    error: t(($) => $.messenger.refused),
    disconnected: t(($) => $.messenger.refused),
  }
  const tones = { connected: 'success', pending: 'warning', error: 'destructive', disconnected: 'destructive' } as const
  async function run() {
    setBusy(true)
    setResult(undefined)
    try {
      const { status }: ChannelConnection = await check({ connectionId: connection._id })
      setResult({ tone: tones[status], text: texts[status] })
    } catch (error) {
      setResult({ tone: 'destructive', text: describeError(error).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {result && <Alert tone={result.tone}>{result.text}</Alert>}
      <Button className="self-start" isBusy={isBusy} onClick={run}>
        {t(($) => $.messenger.check)}
      </Button>
    </>
  )
}
