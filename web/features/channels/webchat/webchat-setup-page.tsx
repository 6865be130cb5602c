// /channels/webchat/setup: from an agent and a few choices to a chat that works, which has a page of its own.
import { useNavigate } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { SetupWizard } from '../setup/setup-wizard.tsx'
import { useDemonstration } from '../use-demonstration.ts'
import { newWidget } from './widget.rules.ts'
import { WidgetForm } from './widget-form.tsx'

export function WebchatSetupPage() {
  const { t } = useTranslation('channels')
  return (
    <SetupWizard
      channel="webchat"
      isWide
      title={t(($) => $.webchat.setupTitle)}
      noAgents={t(($) => $.webchat.noAgentsBody)}
      steps={[
        ['look', t(($) => $.webchat.look)],
        ['done', t(($) => $.setup.stepDone)],
      ]}
      stepOf={() => null}
      show={({ agent, onBack }) => agent && <LookStep agent={agent} onBack={onBack} />}
    />
  )
}

function LookStep({ agent, onBack }: { agent: AgentSummary; onBack: () => void }) {
  const { t } = useTranslation('channels')
  const navigate = useNavigate()
  const demonstration = useDemonstration()
  const provision = useAction(api.channels.webchat.provision)
  return (
    <>
      {demonstration && (
        <DemonstrationHint what="site" href={demonstration.webchat} host={new URL(demonstration.webchat).host} />
      )}
      <WidgetForm
        widget={newWidget(agent.name, {
          ru: t(($) => $.webchat.defaultGreeting.ru),
          en: t(($) => $.webchat.defaultGreeting.en),
        })}
        avatar={agent.avatar}
        submitLabel={t(($) => $.webchat.create)}
        onBack={onBack}
        onSubmit={async (widget) => {
          const { _id } = await provision({ agentId: agent._id, widget })
          toast.success(t(($) => $.webchat.created))
          await navigate(paths.channelConnection('webchat', _id))
        }}
      />
    </>
  )
}
