// Last step of an HTTP connection: its secrets, shown this once, and the proof that the program has them.
import { Link } from 'react-router'
import type { ChannelConnection, HttpSecrets } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { inboundAddress } from '../connection/inbound-address.ts'
import { SecretBox } from '../connection/secret-box.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { HttpTestButton } from '../http/http-test-button.tsx'
import { useDemonstration } from '../use-demonstration.ts'
import { FirstMessage } from './first-message.tsx'

type SecretsStepProps = { connection: ChannelConnection; secrets: HttpSecrets }

/** A user who leaves the page without saving them replaces them on the connection's page. */
export function SecretsStep({ connection: made, secrets }: SecretsStepProps) {
  const { t } = useTranslation('channels')
  const demonstration = useDemonstration()
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const connection = connections?.find(({ _id }) => _id === made._id) ?? made
  return (
    <CardSection
      title={t(($) => $.httpSetup.doneTitle, { name: connection.identifier })}
      description={t(($) => $.httpSetup.doneBody)}
      actions={<StatusBadge connection={connection} />}
    >
      <div className="flex flex-col gap-5">
        <Alert tone="warning">{t(($) => $.httpSecrets.shownOnceBoth)}</Alert>
        <Secrets connection={connection} secrets={secrets} />
        {demonstration && <DemonstrationHint what="secrets" href={demonstration.program} />}
        {connection.status === 'connected' && <FirstMessage hasArrived={connection.lastInboundAt !== null} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Link to={paths.channelConnection('http', connection._id)} className={buttonClasses()}>
            {t(($) => $.httpSetup.openConnection)}
          </Link>
          <HttpTestButton connection={connection} />
        </div>
      </div>
    </CardSection>
  )
}

function Secrets({ connection, secrets }: SecretsStepProps) {
  const { t } = useTranslation('channels')
  return (
    <>
      {(['inbound', 'outbound'] as const).map((direction) => (
        <div key={direction} className="flex flex-col gap-1.5">
          <h3 className="font-medium">{t(($) => $.httpSecrets[direction])}</h3>
          <SecretBox
            text={secrets[direction]}
            copyLabel={`${t(($) => $.httpSecrets.copy)}: ${t(($) => $.httpSecrets[direction])}`}
          />
          <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.httpSecrets[`${direction}Hint`])}</p>
        </div>
      ))}
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">{t(($) => $.http.inboundAddress)}</h3>
        <SecretBox text={inboundAddress(connection)} copyLabel={t(($) => $.http.copyInboundAddress)} />
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.http.docs)}</p>
      </div>
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">{t(($) => $.httpSetup.all)}</h3>
        <SecretBox text={environmentOf(connection, secrets)} copyLabel={t(($) => $.httpSetup.copyAll)} />
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.httpSetup.allHint)}</p>
      </div>
    </>
  )
}

/** One variable per line. */
function environmentOf(connection: ChannelConnection, { inbound, outbound }: HttpSecrets): string {
  return [
    `PARLEY_ADDRESS=${inboundAddress(connection)}`,
    `INBOUND_SECRET=${inbound}`,
    `OUTBOUND_SECRET=${outbound}`,
  ].join('\n')
}
