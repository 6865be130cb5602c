// The agents that may answer from a space, and which of its sources they use. A switch takes effect at once.
import { Bot, MessageCircle } from 'lucide-react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { KnowledgeSpace, SpaceLink } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { GeneratedQuestions } from './generated-questions.tsx'
import { LinkSources } from './sources/link-sources.tsx'
import { SpaceEnough } from './sources/space-enough.tsx'
import { SpacePassages } from './sources/space-passages.tsx'
import { SpaceSources } from './sources/space-sources.tsx'

/** Every agent of the organization with a switch. */
export function AgentsTab({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const links: SpaceLink[] | undefined = useQuery(api.knowledge.spaces.listLinks, { knowledgeSpaceId: space._id })
  if (!agents) {
    return (
      <Delayed>
        <Skeleton className="h-32 rounded-xl" />
      </Delayed>
    )
  }
  if (agents.length === 0) {
    return (
      <EmptyState
        icon={Bot}
        title={t(($) => $.agents.emptyTitle)}
        description={t(($) => $.agents.emptyBody)}
        action={
          <May need="agents.write">
            <Link to={paths.newAgent} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.agents.createAgent)}
            </Link>
          </May>
        }
      />
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <SpaceSources space={space} />
      <GeneratedQuestions space={space} />
      <SpaceEnough space={space} />
      <SpacePassages space={space} />
      <p className="text-muted-foreground">{t(($) => $.agents.hint)}</p>
      <Card>
        <ul className="divide-y divide-border">
          {agents.map((agent) => (
            <AgentRow
              key={agent._id}
              agent={agent}
              space={space}
              link={links?.find((link) => link.agentId === agent._id)}
            />
          ))}
        </ul>
      </Card>
    </div>
  )
}

type AgentRowProps = { agent: AgentSummary; space: KnowledgeSpace; link: SpaceLink | undefined }

function AgentRow({ agent, space, link: sources }: AgentRowProps) {
  const { t } = useTranslation('knowledge')
  const link = useMutation(api.knowledge.spaces.linkAgent)
  const unlink = useMutation(api.knowledge.spaces.unlinkAgent)
  const switchId = `agent-${agent._id}`
  function change(shouldLink: boolean) {
    const names = { knowledgeSpaceId: space._id, agentId: agent._id }
    return (shouldLink ? link : unlink)(names).catch(() => undefined) // reported in a toast
  }
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <Switch
        id={switchId}
        checked={agent.knowledgeSpaceIds.includes(space._id)}
        onCheckedChange={(shouldLink) => void change(shouldLink)}
      />
      <label htmlFor={switchId} className="flex min-w-0 flex-1 items-center gap-3">
        <Avatar avatar={agent.avatar} name={agent.name} className="size-8" />
        <span className="truncate font-medium">{agent.name}</span>
      </label>
      {sources && <LinkSources space={space} agent={agent} link={sources} />}
      <May need="agents.test">
        <Link
          to={paths.agentTest(agent.slug)}
          aria-label={t(($) => $.agents.test, { name: agent.name })}
          className={buttonClasses({ variant: 'ghost', size: 'icon' })}
        >
          <MessageCircle aria-hidden="true" />
        </Link>
      </May>
    </li>
  )
}
