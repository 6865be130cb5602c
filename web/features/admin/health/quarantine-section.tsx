// Notifications that were not understood, of all organizations. They are taken in again after an update; what they say is not shown here.
import { useState } from 'react'
import { channelName } from '#shared/channels/manifests.ts'
import type { Health, QuarantineConnection, QuarantinedEvent } from '#shared/organizations/health.ts'
import { api } from '#web/api.ts'
import { ChannelIcon } from '#web/components/channel-icon.tsx'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatBytes, formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { OrganizationLink } from './deliveries-section.tsx'
import { HealthSection, SubItem, SubList } from './health-section.tsx'

/** What is to be taken in again, after a question. */
type Asked = { connection: QuarantineConnection } | { event: QuarantinedEvent }

/** `onChange`: something was done that the page should show. */
export function QuarantineSection({ health, onChange }: { health: Health; onChange: () => void }) {
  const { t } = useTranslation('admin')
  const [asked, setAsked] = useState<Asked | null>(null)
  const { count, connections, latest } = health.quarantine
  return (
    <HealthSection name="quarantine" problems={health.problems}>
      {count === 0 && <p className="text-muted-foreground">{t(($) => $.health.quarantine.none)}</p>}
      {count > 0 && (
        <>
          <p>{t(($) => $.health.quarantine.count, { count, value: formatNumber(count) })}</p>
          <SubList title={t(($) => $.health.quarantine.connections)}>
            {connections.map((connection) => (
              <Connection key={connection._id} connection={connection} onAsk={() => setAsked({ connection })} />
            ))}
          </SubList>
          <SubList title={t(($) => $.health.quarantine.latest)}>
            {latest.map((event) => (
              <PutAside
                key={event.eventId}
                event={event}
                connection={connections.find(({ _id }) => _id === event.connectionId)}
                onAsk={() => setAsked({ event })}
              />
            ))}
          </SubList>
        </>
      )}
      {asked && <Question asked={asked} onClose={() => setAsked(null)} onChange={onChange} />}
    </HealthSection>
  )
}

function Connection({ connection, onAsk }: { connection: QuarantineConnection; onAsk: () => void }) {
  const { t } = useTranslation('admin')
  const { organization, count, requested, latestAt } = connection
  const facts = [
    <ConnectionName key="name" connection={connection} />,
    t(($) => $.health.quarantine.count, { count, value: formatNumber(count) }),
    <span key="latest">
      {t(($) => $.health.quarantine.last)} <RelativeTime at={latestAt} />
    </span>,
  ]
  return (
    <SubItem
      title={<OrganizationLink organization={organization} />}
      facts={facts}
      action={
        requested === count ? (
          <UnderWay />
        ) : (
          <Button size="sm" onClick={onAsk}>
            {t(($) => $.health.quarantine.replayAll)}
          </Button>
        )
      }
    />
  )
}

function ConnectionName({ connection: { channel, identifier } }: { connection: QuarantineConnection }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <ChannelIcon channel={channel} className="size-3.5" />
      {channelName(channel, currentLanguage())}
      {identifier && ` · ${identifier}`}
    </span>
  )
}

type PutAsideProps = { event: QuarantinedEvent; connection: QuarantineConnection | undefined; onAsk: () => void }

function PutAside({ event: { at, sizeBytes, isRequested }, connection, onAsk }: PutAsideProps) {
  const { t } = useTranslation('admin')
  return (
    <SubItem
      title={<RelativeTime at={at} />}
      facts={[connection && <ConnectionName key="name" connection={connection} />, formatBytes(sizeBytes)]}
      action={
        isRequested ? (
          <UnderWay />
        ) : (
          <Button size="sm" variant="ghost" onClick={onAsk}>
            {t(($) => $.health.quarantine.replay)}
          </Button>
        )
      }
    />
  )
}

function UnderWay() {
  const { t } = useTranslation('admin')
  return <span className="text-[0.8125rem] text-muted-foreground">{t(($) => $.health.quarantine.underWay)}</span>
}

type QuestionProps = { asked: Asked; onClose: () => void; onChange: () => void }

function Question({ asked, onClose, onChange }: QuestionProps) {
  const { t } = useTranslation('admin')
  const replay = useMutation(api.admin.health.replay)
  const replayConnection = useMutation(api.admin.health.replayConnection)
  const confirm = async () => {
    if ('event' in asked) await replay({ eventId: asked.event.eventId })
    else await replayConnection({ connectionId: asked.connection._id })
    toast.success(t(($) => $.health.quarantine.requested))
    onChange()
  }
  return (
    <ConfirmDialog
      title={t(($) => $.health.quarantine.question)}
      description={t(($) => $.health.quarantine.questionBody)}
      confirmLabel={t(($) => $.health.quarantine.replay)}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
