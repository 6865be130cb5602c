// Last step of an HTTP connection: its secrets, shown this once.
import { Link } from 'react-router'
import type { ChannelConnection, HttpSecrets } from '#shared/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { inboundAddress } from '../inbound-address.ts'
import { SecretBox } from '../secret-box.tsx'

type SecretsStepProps = { connection: ChannelConnection; secrets: HttpSecrets }

/** Whoever leaves the page without them replaces them on the page of the connection. */
export function SecretsStep({ connection, secrets }: SecretsStepProps) {
  const { t } = useTranslation('channels')
  return (
    <CardSection
      title={t(($) => $.httpSetup.doneTitle, { name: connection.identifier })}
      description={t(($) => $.httpSetup.doneBody)}
    >
      <div className="flex flex-col gap-5">
        <Alert tone="warning">{t(($) => $.httpSecrets.shownOnceBoth)}</Alert>
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
        <Link
          to={paths.httpConnection(connection._id)}
          className={buttonClasses({ variant: 'primary', className: 'self-end' })}
        >
          {t(($) => $.httpSetup.openConnection)}
        </Link>
      </div>
    </CardSection>
  )
}
