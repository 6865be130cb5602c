// The chat in which the installation's own bot alerts the person: connected by a link that only they are given.
import { useState } from 'react'
import type { AlertChat } from '#shared/organizations/alerts.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useAlertReach } from '#web/lib/alerts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction, useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** Says who can change it where the installation has no bot. */
export function AlertTelegramSection() {
  const { t } = useTranslation('settings')
  const isConfigured = useAlertReach()?.telegram
  const chat: AlertChat | null | undefined = useQuery(api.alerts.chat, {})
  return (
    <CardSection title={t(($) => $.alerts.telegram)} actions={isConfigured && chat && <ChatActions />}>
      {isConfigured === false && <Alert tone="warning">{t(($) => $.alerts.telegramMissing)}</Alert>}
      {isConfigured && chat && <p className="break-words">{t(($) => $.alerts.telegramTo, { name: chat.name })}</p>}
      {isConfigured && chat === null && <Connecting />}
    </CardSection>
  )
}

function Connecting() {
  const { t } = useTranslation('settings')
  const [isBusy, run] = useBusy()
  const [url, setUrl] = useState<string | null>(null)
  const open = useAction(api.alerts.openChat)
  return (
    <div className="flex flex-col items-start gap-3">
      <p>{url ? t(($) => $.alerts.telegramOpenHint) : t(($) => $.alerts.telegramNone)}</p>
      {url ? (
        <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClasses({ variant: 'primary' })}>
          {t(($) => $.alerts.telegramOpen)}
        </a>
      ) : (
        <Button isBusy={isBusy} onClick={() => run(async () => setUrl((await open({})).url))}>
          {t(($) => $.alerts.telegramConnect)}
        </Button>
      )}
    </div>
  )
}

function ChatActions() {
  const { t } = useTranslation('settings')
  const [isBusy, run] = useBusy()
  const test = useAction(api.alerts.testChat)
  const close = useMutation(api.alerts.closeChat)
  const tell = (call: () => Promise<unknown>, text: string) => () =>
    run(async () => {
      await call()
      toast.success(text)
    })
  const testing = tell(
    () => test({}),
    t(($) => $.alerts.telegramSent),
  )
  const closing = tell(
    () => close({}),
    t(($) => $.alerts.telegramDisconnected),
  )
  return (
    <div className="flex gap-2">
      <Button size="sm" isBusy={isBusy} onClick={testing}>
        {t(($) => $.alerts.test)}
      </Button>
      <Button size="sm" variant="ghost" onClick={closing}>
        {t(($) => $.alerts.telegramDisconnect)}
      </Button>
    </div>
  )
}

/** Of a call that the person waits for. What has failed, its own toast tells. */
function useBusy(): [boolean, (call: () => Promise<unknown>) => void] {
  const [isBusy, setBusy] = useState(false)
  return [
    isBusy,
    (call) => {
      setBusy(true)
      call()
        .catch(() => undefined)
        .finally(() => setBusy(false))
    },
  ]
}
