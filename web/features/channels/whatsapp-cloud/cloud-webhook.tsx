// What is entered in the dashboard of Meta's app so that it delivers here, and the button that checks whether it does.
import { useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
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
export function CloudWebhook({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const ask = useAction(api.channels.whatsappCloud.webhook, { hasToast: false })
  const { value, error } = useFetched(['cloud webhook', connection._id], () => ask({ connectionId: connection._id }))
  if (error && !value) return <Alert tone="destructive">{describeError(error).message}</Alert>
  if (!value) {
    return (
      <Delayed>
        <Skeleton className="h-32 rounded-lg" />
      </Delayed>
    )
  }
  return (
    <>
      {!value.isReachable && <Alert tone="warning">{t(($) => $.cloudSetup.notReachable)}</Alert>}
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">{t(($) => $.cloudSetup.callbackUrl)}</h3>
        <SecretBox text={value.callbackUrl} copyLabel={t(($) => $.cloudSetup.copyCallbackUrl)} />
      </div>
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">{t(($) => $.cloudSetup.verifyToken)}</h3>
        <SecretBox text={value.verifyToken} copyLabel={t(($) => $.cloudSetup.copyVerifyToken)} />
      </div>
    </>
  )
}

/** Shows its result below. */
export function CloudCheck({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const check = useAction(api.channels.whatsappCloud.check, { hasToast: false })
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<{ tone: 'success' | 'warning' | 'destructive'; text: string }>()
  async function run() {
    setBusy(true)
    setResult(undefined)
    try {
      const { status } = await check({ connectionId: connection._id })
      if (status === 'connected') setResult({ tone: 'success', text: t(($) => $.cloudSetup.checked) })
      else if (status === 'error') setResult({ tone: 'destructive', text: t(($) => $.cloudSetup.stillUntold) })
      else setResult({ tone: 'warning', text: t(($) => $.cloudSetup.stillPending) })
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
        {t(($) => $.cloudSetup.check)}
      </Button>
    </>
  )
}
