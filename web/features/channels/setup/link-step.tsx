// Third step for WhatsApp: linking the phone, by scanning a picture or by typing a code.
import { CircleAlert, Hourglass, KeyRound, QrCode, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { WHATSAPP_QR_MS } from '#shared/limits.ts'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Undrawn } from '#web/components/ui/part-boundary.tsx'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { connectionPath } from '#web/lib/server/connections.ts'
import { AccountNotice } from '../connection/account-notice.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'
import { Countdown } from './countdown.tsx'
import { PhoneCodeForm } from './phone-code-form.tsx'
import { StartingInstance } from './starting-instance.tsx'
import { type LinkCode, THROTTLE_MS, useLinkCode } from './use-link-code.ts'

/** Leads to the next step by itself: the connection's state is live. An account in trouble has nothing to scan. */
export function LinkStep({ connection }: { connection: ChannelConnection }) {
  const { accountState } = connection
  const canLink = accountState === null || accountState === 'notAuthorized' || accountState === 'starting'
  return canLink ? <Linking connection={connection} /> : <AccountNotice connection={connection} />
}

function Linking({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { code, renew } = useLinkCode(connection._id)
  return (
    <CardSection title={t(($) => $.whatsappLink.title)} actions={<StatusBadge connection={connection} />}>
      <p className="mb-5 text-muted-foreground">{t(($) => $.whatsappLink.body)}</p>
      <div className="flex flex-col gap-6 sm:flex-row">
        <div className="flex w-full max-w-64 flex-col gap-3 max-sm:self-center">
          <Picture code={code} onRenew={renew} />
          <Remaining code={code} connection={connection} />
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-5">
          <ol className="flex list-decimal flex-col gap-1.5 ps-5 marker:text-muted-foreground">
            <li>{t(($) => $.whatsappLink.stepOpen)}</li>
            <li>{t(($) => $.whatsappLink.stepDevices)}</li>
            <li>{t(($) => $.whatsappLink.stepScan)}</li>
          </ol>
          <PhoneCodeForm connectionId={connection._id} />
          <Link to={connectionPath(connection)} className={buttonClasses({ className: 'self-start' })}>
            {t(($) => $.whatsappLink.later)}
          </Link>
        </div>
      </div>
    </CardSection>
  )
}

/** The code on white, whatever the theme: phones need the contrast. */
function Picture({ code, onRenew }: { code: LinkCode; onRenew: () => void }) {
  const { t } = useTranslation('channels')
  if (code.status === 'code') {
    return (
      <img
        src={`data:image/png;base64,${code.png}`}
        alt={t(($) => $.whatsappLink.pictureAlt)}
        className="aspect-square w-full rounded-lg border border-border bg-white p-2 [image-rendering:pixelated]"
      />
    )
  }
  const renew = (
    <Button size="sm" onClick={onRenew}>
      <RefreshCw aria-hidden="true" />
      {t(($) => $.whatsappLink.renew)}
    </Button>
  )
  switch (code.status) {
    case 'loading':
      return <Placeholder icon={<Spinner className="size-6" />} text={t(($) => $.whatsappLink.loading)} />
    case 'starting':
      return <Placeholder icon={<Spinner className="size-6" />} text={t(($) => $.whatsappLink.starting)} />
    case 'throttled':
      return <Placeholder icon={<Hourglass className="size-6" />} text={t(($) => $.whatsappLink.throttled)} />
    case 'passkey':
      return (
        <Placeholder icon={<KeyRound className="size-6" />} text={t(($) => $.whatsappLink.passkey)} action={renew} />
      )
    case 'expired':
      return <Placeholder icon={<QrCode className="size-6" />} text={t(($) => $.whatsappLink.expired)} action={renew} />
    case 'failed':
      return <Placeholder icon={<CircleAlert className="size-6" />} text={code.message} action={renew} />
    default:
      code satisfies never
      return <Undrawn />
  }
}

function Placeholder({ icon, text, action }: { icon: ReactNode; text: string; action?: ReactNode }) {
  return (
    <div
      role="status"
      className="flex aspect-square w-full flex-col items-center justify-center gap-3 rounded-lg border border-border border-dashed p-4 text-center text-muted-foreground"
    >
      <span aria-hidden="true">{icon}</span>
      <p>{text}</p>
      {action}
    </div>
  )
}

/** Time until the code is another one, until it may be asked for again, or until the instance should have started. */
function Remaining({ code, connection }: { code: LinkCode; connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  if (code.status === 'code') {
    return (
      <Countdown until={code.until} totalMs={WHATSAPP_QR_MS} label={t(($) => $.whatsappLink.countdownLabel)}>
        {(seconds) => t(($) => $.whatsappLink.countdown, { seconds })}
      </Countdown>
    )
  }
  if (code.status === 'throttled') {
    return (
      <Countdown until={code.until} totalMs={THROTTLE_MS} label={t(($) => $.whatsappLink.countdownLabel)}>
        {(seconds) => t(($) => $.whatsappLink.countdown, { seconds })}
      </Countdown>
    )
  }
  if (code.status !== 'starting') return null
  const { accountState, accountStateSince } = connection
  const since = accountState === 'starting' ? (accountStateSince ?? code.since) : code.since
  return <StartingInstance connection={connection} since={since} />
}
