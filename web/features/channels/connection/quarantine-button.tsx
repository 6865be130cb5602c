// Notifications that were not understood, shown to a person: a customer's message may be among them.
import { useState } from 'react'
import type { ChannelConnection, QuarantinedNotification } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** Fetched when the user asks for them, without a live query. */
export function QuarantineButton({ connectionId }: { connectionId: ChannelConnection['_id'] }) {
  const { t } = useTranslation('channels')
  const fetchLatest = useAction(api.channelConnections.quarantine)
  const [shown, setShown] = useState<QuarantinedNotification[]>()
  const [isBusy, setBusy] = useState(false)

  async function open() {
    setBusy(true)
    const latest = await fetchLatest({ connectionId }).catch(() => undefined) // the toast shows the error
    setShown(latest)
    setBusy(false)
  }

  return (
    <>
      <Button isForReading size="sm" className="mt-1" isBusy={isBusy} onClick={open}>
        {t(($) => $.health.quarantinedShow)}
      </Button>
      <Dialog open={shown !== undefined} onOpenChange={(isOpen) => !isOpen && setShown(undefined)}>
        <DialogContent
          title={t(($) => $.health.quarantinedTitle)}
          description={t(($) => $.health.quarantinedBody)}
          className="max-w-2xl"
        >
          {shown?.length === 0 && <p className="text-muted-foreground">{t(($) => $.health.quarantinedEmpty)}</p>}
          <ul className="flex flex-col gap-4">
            {shown?.map((notification) => (
              <Notification key={notification._id} notification={notification} />
            ))}
          </ul>
        </DialogContent>
      </Dialog>
    </>
  )
}

function Notification({ notification: { at, text } }: { notification: QuarantinedNotification }) {
  const { t } = useTranslation('channels')
  return (
    <li>
      <p className="text-[0.8125rem] text-muted-foreground">
        <RelativeTime at={at} />
      </p>
      {text === null ? (
        <p className="mt-1">{t(($) => $.health.quarantinedGone)}</p>
      ) : (
        <div className="mt-1 flex items-start gap-2 rounded-lg border border-border bg-muted px-3 py-2">
          <code className="min-w-0 flex-1 whitespace-pre-wrap break-all text-[0.8125rem]">{text}</code>
          <CopyButton text={text} label={t(($) => $.health.quarantinedCopy)} />
        </div>
      )}
    </li>
  )
}
