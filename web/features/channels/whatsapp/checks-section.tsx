// Everything that a number needs to work, looked at on demand: what is good, and what helps where it is not.
import { CircleAlert, CircleCheck, CircleDashed, Stethoscope } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { WhatsappCheck, WhatsappReport } from '#shared/channels/whatsapp.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { cn } from '#web/lib/cn.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { QueueButton } from './queue-button.tsx'

const OUTCOMES = {
  passed: { icon: CircleCheck, classes: 'text-success-soft-foreground' },
  failed: { icon: CircleAlert, classes: 'text-destructive-soft-foreground' },
  skipped: { icon: CircleDashed, classes: 'text-muted-foreground' },
} as const

/** Checks again after each fix. */
export function WhatsappChecksSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const validate = useAction(api.channels.whatsapp.validate, { hasToast: false })
  const [{ report, failure }, setState] = useState<{ report?: WhatsappReport; failure?: string }>({})
  const [isBusy, setBusy] = useState(false)

  async function check() {
    setBusy(true)
    try {
      setState({ report: await validate({ connectionId: connection._id }) })
    } catch (error) {
      setState({ failure: describeError(error).message })
    }
    setBusy(false)
  }

  const isGood = report?.every(({ outcome }) => outcome === 'passed')
  return (
    <CardSection title={t(($) => $.whatsappChecks.title)} description={t(($) => $.whatsappChecks.body)}>
      <div className="flex flex-col gap-4">
        <Button className="self-start" isBusy={isBusy} onClick={() => void check()}>
          <Stethoscope aria-hidden="true" />
          {t(($) => $.whatsappChecks.run)}
        </Button>
        {failure && <Alert tone="destructive">{failure}</Alert>}
        {isGood && <Alert tone="success">{t(($) => $.whatsappChecks.allGood)}</Alert>}
        {report && (
          <ul aria-label={t(($) => $.whatsappChecks.title)} className="flex flex-col gap-4">
            {report.map(({ check: name, outcome }) => (
              <Finding key={name} check={name} outcome={outcome}>
                <Fix check={name} connection={connection} onFixed={check} />
              </Finding>
            ))}
          </ul>
        )}
      </div>
    </CardSection>
  )
}

type FindingProps = { check: WhatsappCheck; outcome: WhatsappReport[number]['outcome']; children: ReactNode }

function Finding({ check, outcome, children }: FindingProps) {
  const { t } = useTranslation('channels')
  const { icon: Icon, classes } = OUTCOMES[outcome]
  return (
    <li className="flex items-start gap-3">
      <Icon aria-hidden="true" className={cn('mt-0.5 size-4 shrink-0', classes)} />
      <div className="flex min-w-0 flex-col items-start gap-1">
        <p className="font-medium">
          {t(($) => $.whatsappChecks.names[check])}
          <span className={cn('font-normal', classes)}> — {t(($) => $.whatsappChecks.outcome[outcome])}</span>
        </p>
        {outcome === 'failed' && (
          <>
            <p className="text-muted-foreground">{t(($) => $.whatsappChecks.fixes[check])}</p>
            {children}
          </>
        )}
      </div>
    </li>
  )
}

type FixProps = { check: WhatsappCheck; connection: ChannelConnection; onFixed: () => Promise<void> }

/** What puts a failed check right, where a button can. */
function Fix({ check, connection, onFixed }: FixProps) {
  const { t } = useTranslation('channels')
  const setDelivery = useAction(api.channels.whatsapp.setDelivery)
  const [isBusy, setBusy] = useState(false)
  const { _id: connectionId, delivery } = connection
  const setUp = async () => {
    setBusy(true)
    await setDelivery({ connectionId, delivery }).then(onFixed, () => undefined) // the toast shows the error
    setBusy(false)
  }
  if (check === 'phone') {
    return (
      <Link
        to={`${paths.channelSetup('whatsapp')}?connection=${connectionId}`}
        className={buttonClasses({ size: 'sm' })}
      >
        {t(($) => $.accountNotice.link)}
      </Link>
    )
  }
  if (check === 'queue') return <QueueButton connectionId={connectionId} onCleared={onFixed} />
  if (check !== 'notifications' && check !== 'delivery') return null
  return (
    <Button size="sm" isBusy={isBusy} onClick={() => void setUp()}>
      {t(($) => $.whatsappChecks.setUp)}
    </Button>
  )
}
