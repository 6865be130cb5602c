// Settings: the knowledge spaces that the agent searches. Takes effect at once, apart from the form.
import { ExternalLink } from 'lucide-react'
import { Link } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { OpenSection } from '../section.tsx'

/** Every space of the organization with a switch. */
export function KnowledgeSection({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const spaces: KnowledgeSpace[] | undefined = useQuery(api.knowledge.spaces.list, {})
  return (
    <OpenSection
      id="knowledge"
      actions={
        spaces?.length === 0 && (
          <Link to={paths.knowledge} className={buttonClasses()}>
            {t(($) => $.settings.createSpace)}
          </Link>
        )
      }
    >
      {!spaces && (
        <Delayed>
          <Skeleton className="h-14" />
        </Delayed>
      )}
      {spaces?.length === 0 && <p className="text-muted-foreground">{t(($) => $.settings.noSpaces)}</p>}
      {spaces && spaces.length > 0 && (
        <ul className="divide-y divide-border rounded-lg border border-border">
          {spaces.map((space) => (
            <SpaceRow key={space._id} agent={agent} space={space} />
          ))}
        </ul>
      )}
    </OpenSection>
  )
}

function SpaceRow({ agent, space }: { agent: Agent; space: KnowledgeSpace }) {
  const { t } = useTranslation('agents')
  const link = useMutation(api.knowledge.spaces.linkAgent)
  const unlink = useMutation(api.knowledge.spaces.unlinkAgent)
  const isLinked = agent.knowledgeSpaceIds.includes(space._id)
  const names = { agent: agent.name, space: space.name }
  async function change(shouldLink: boolean) {
    await (shouldLink ? link : unlink)({ knowledgeSpaceId: space._id, agentId: agent._id })
    toast.success(shouldLink ? t(($) => $.toast.linked, names) : t(($) => $.toast.unlinked, names))
  }
  const switchId = `space-${space._id}`
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <Switch
        id={switchId}
        checked={isLinked}
        onCheckedChange={(shouldLink) => void change(shouldLink).catch(() => undefined)}
      />
      <label htmlFor={switchId} className="min-w-0 flex-1">
        <span className="block truncate font-medium">{space.name}</span>
        <span className="block text-[0.8125rem] text-muted-foreground">
          {t(($) => $.settings.spaceContents, {
            documents: t(($) => $.settings.documents, { count: space.documents }),
            notes: t(($) => $.settings.notes, { count: space.fragments }),
          })}
        </span>
      </label>
      <Link
        to={paths.space(space.slug)}
        aria-label={t(($) => $.settings.openSpace, { name: space.name })}
        className={buttonClasses({ variant: 'ghost', size: 'icon' })}
      >
        <ExternalLink aria-hidden="true" />
      </Link>
    </li>
  )
}
