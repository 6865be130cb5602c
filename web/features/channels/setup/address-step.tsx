// Second step of an HTTP connection: what the program is called and where it is.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection, HttpSecrets } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { SecretBox } from '../connection/secret-box.tsx'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { HttpForm } from '../http/http-form.tsx'
import { useDemonstration } from '../use-demonstration.ts'

type AddressStepProps = {
  agent: AgentSummary
  onBack: () => void
  onConnected: (made: { connection: ChannelConnection; secrets: HttpSecrets }) => void
}

/** Nothing is posted yet: the program has to know the secrets first. */
export function AddressStep({ agent, onBack, onConnected }: AddressStepProps) {
  const { t } = useTranslation('channels')
  const provision = useAction(api.channels.http.provision, { hasToast: false })
  const demonstration = useDemonstration()
  return (
    <CardSection
      title={t(($) => $.httpSetup.addressTitle)}
      description={t(($) => $.telegram.agent, { name: agent.name })}
    >
      {demonstration && (
        <div className="mb-5 flex flex-col gap-2">
          <DemonstrationHint what="program" href={demonstration.program} />
          <SecretBox text={demonstration.programAddress} copyLabel={t(($) => $.demonstration.copyAddress)} />
        </div>
      )}
      <HttpForm
        defaults={{ name: '', url: '' }}
        onSubmit={async (entry) => onConnected(await provision({ agentId: agent._id, ...entry }))}
      >
        {(isSubmitting) => (
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onBack} disabled={isSubmitting}>
              {t(($) => $.setup.back)}
            </Button>
            <Button type="submit" variant="primary" isBusy={isSubmitting}>
              {t(($) => $.setup.connect)}
            </Button>
          </div>
        )}
      </HttpForm>
    </CardSection>
  )
}
