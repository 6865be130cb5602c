// /agents/:slug/settings: places the sections, owns the form and warns before unsaved changes are lost.

import { MessageCircle, Wrench } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useAgent } from '#web/lib/server/use-entity.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { withOwnKeys } from './models.rules.ts'
import { AgentSettingsForm } from './settings/agent-settings-form.tsx'
import { VersionsButton } from './versions/versions-button.tsx'

/** The settings of one agent. The form is recreated for another agent. */
export function AgentSettingsPage() {
  const { t } = useTranslation('agents')
  const { slug } = useParams()
  const { entity: agent, name } = useAgent(slug)
  const models = useQuery(api.models.list, {})
  const connections = useQuery(api.channelConnections.list, agent ? { agentId: agent._id } : 'skip')
  const keys = useQuery(api.agents.keys.list, agent ? { agentId: agent._id } : 'skip')
  const isReady = agent && models && connections && keys
  return (
    <Page
      title={name ?? t(($) => $.settings.title)}
      documentTitle={name ? t(($) => $.settings.documentTitle, { name }) : t(($) => $.settings.title)}
      actions={
        agent && (
          <>
            <VersionsButton agent={agent} />
            <Link to={paths.agentFunctions(agent.slug)} className={buttonClasses()}>
              <Wrench aria-hidden="true" />
              {t(($) => $.settings.functions)}
            </Link>
            <May need="agents.test">
              <Link to={paths.agentTest(agent.slug)} className={buttonClasses()}>
                <MessageCircle aria-hidden="true" />
                {t(($) => $.settings.testChat)}
              </Link>
            </May>
          </>
        )
      }
    >
      {isReady ? (
        <AgentSettingsForm
          key={agent._id}
          agent={agent}
          models={withOwnKeys(models, keys)}
          connections={connections}
          keys={keys}
        />
      ) : (
        <Delayed>
          <div className="flex flex-col gap-6">
            {['a', 'b', 'c'].map((key) => (
              <Skeleton key={key} className="h-64 rounded-xl" />
            ))}
          </div>
        </Delayed>
      )}
    </Page>
  )
}
