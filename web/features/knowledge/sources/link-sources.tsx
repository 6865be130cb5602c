// Which sources of a space one agent may use.
import { SlidersHorizontal } from 'lucide-react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import {
  KNOWLEDGE_SOURCES,
  type KnowledgeSource,
  type KnowledgeSpace,
  type SpaceLink,
} from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import { SOURCE_TAG_MAX, SOURCE_TAGS_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { ChipInput } from '#web/components/ui/chip-input.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { LanguageSwitches } from './language-switches.tsx'
import { SourceSwitches } from './source-switches.tsx'

type LinkSourcesProps = { space: KnowledgeSpace; agent: AgentSummary; link: SpaceLink }

/** A button that names the used sources and opens the switches. */
export function LinkSources({ space, agent, link }: LinkSourcesProps) {
  const { t } = useTranslation('knowledge')
  const update = useMutation(api.knowledge.spaces.updateLink)
  const change = (patch: { enabledSources?: KnowledgeSource[]; tags?: string[]; languages?: SourceLanguage[] }) =>
    update({ knowledgeSpaceId: space._id, agentId: agent._id, patch }).catch(() => undefined) // reported in a toast
  const off = KNOWLEDGE_SOURCES.filter((source) => !space.enabledSources.includes(source))
  const isAll = link.enabledSources.length === KNOWLEDGE_SOURCES.length
  const used = link.enabledSources.map((source) => t(($) => $.sources.name[source]))
  const named = isAll ? t(($) => $.sources.all) : used.join(', ') || t(($) => $.sources.none)
  const spoken = link.languages.map((language) => t(($) => $.marks.languages[language]))
  const summary = [named, ...spoken, ...link.tags].join(' · ')
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          className="min-w-0 max-w-40 shrink"
          aria-label={t(($) => $.sources.change, { name: agent.name, summary })}
        >
          <SlidersHorizontal aria-hidden="true" />
          <span className="truncate max-sm:sr-only">{summary}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent
        className="flex w-64 flex-col gap-3 p-4"
        aria-label={t(($) => $.sources.ofAgent, { name: agent.name })}
      >
        <p className="font-medium">{t(($) => $.sources.ofAgent, { name: agent.name })}</p>
        <SourceSwitches
          sources={KNOWLEDGE_SOURCES}
          enabled={link.enabledSources}
          locked={off}
          onChange={(enabledSources) => void change({ enabledSources })}
        />
        <Field label={t(($) => $.marks.ofAgent)} hint={t(($) => $.marks.ofAgentHint)}>
          <ChipInput
            value={link.tags}
            max={SOURCE_TAGS_MAX}
            maxLength={SOURCE_TAG_MAX}
            onValueChange={(tags) => void change({ tags })}
          />
        </Field>
        <LanguageSwitches chosen={link.languages} onChange={(languages) => void change({ languages })} />
        {off.length > 0 && <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.sources.locked)}</p>}
      </PopoverContent>
    </Popover>
  )
}
