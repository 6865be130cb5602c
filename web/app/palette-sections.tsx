// The sections of agents' settings in the command palette.
import { SlidersHorizontal } from 'lucide-react'
import { useLocation } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { CommandGroup, useSearchText } from '#web/components/ui/command.tsx'
import { SECTION_IDS } from '#web/features/agents/settings/sections.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { CommandRow } from './command-row.tsx'
import { agentSlugOf } from './layout/navigation.ts'

/** Of the agent of the present page; on other pages of every agent. Shown only while something is searched for: they are many. */
export function PaletteSections({ go }: { go: (to: string) => void }) {
  const { t } = useTranslation('agents')
  const current = agentSlugOf(useLocation())
  const isSearching = useSearchText().trim() !== ''
  const all: AgentSummary[] = useQuery(api.agents.list, {}) ?? []
  const agents = all.some(({ slug }) => slug === current) ? all.filter(({ slug }) => slug === current) : all
  if (!isSearching || agents.length === 0) return null
  return (
    <CommandGroup heading={t(($) => $.settings.title)}>
      {agents.flatMap((agent) =>
        SECTION_IDS.map((section) => (
          <CommandRow
            key={`${agent._id} ${section}`}
            id={`${agent._id} ${section}`}
            icon={<SlidersHorizontal aria-hidden="true" />}
            label={t(($) => $.sections[section].title)}
            hint={agent.name}
            keywords={t(($) => $.sections[section].keywords)}
            onSelect={() => go(`${paths.agentSettings(agent.slug)}#${section}`)}
          />
        )),
      )}
    </CommandGroup>
  )
}
