// Settings: the end of an agent.
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { TypedNameDialog } from '#web/components/typed-name-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName } from '#web/lib/server/connections.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { OpenSection } from '../section.tsx'

type DangerSectionProps = {
  agent: Agent
  connections: ChannelConnection[]
  /** Lets the page be left without a question about unsaved changes. */
  onRemoving: () => void
}

/** Says what will be lost and asks for the name. */
export function DangerSection({ agent, connections, onRemoving }: DangerSectionProps) {
  const { t } = useTranslation('agents')
  const remove = useMutation(api.agents.remove)
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const spaces = agent.knowledgeSpaceIds.length
  const names = connections.map(connectionName).join(', ')
  const losses = [
    connections.length > 0 && t(($) => $.remove.channels, { count: connections.length, names }),
    connections.length > 0 && t(($) => $.remove.silence),
    spaces > 0 && t(($) => $.remove.spaces, { count: spaces }),
    t(($) => $.remove.conversations),
  ].filter((loss) => loss !== false)

  async function confirm() {
    flushSync(onRemoving) // the guard must be down before the page is left
    await navigate(paths.agents)
    await remove({ id: agent._id })
    toast.success(t(($) => $.remove.done, { name: agent.name }))
  }

  return (
    <OpenSection id="delete">
      <Button className="text-destructive-soft-foreground" onClick={() => setAsking(true)}>
        {t(($) => $.remove.action)}
      </Button>
      <TypedNameDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        name={agent.name}
        title={t(($) => $.remove.title, { name: agent.name })}
        description={t(($) => $.remove.description)}
        losses={losses}
        label={t(($) => $.remove.typeName, { name: agent.name })}
        confirmLabel={t(($) => $.remove.confirm)}
        onConfirm={confirm}
      />
    </OpenSection>
  )
}
