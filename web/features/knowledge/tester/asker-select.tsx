// Who searches in the tester: the whole space, or one of its agents with everything it may use.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { SpaceLink } from '#shared/knowledge/knowledge.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const SPACE = 'space'

type AskerSelectProps = {
  /** Agents linked to the space. */
  agents: AgentSummary[]
  /** Undefined: no particular agent. */
  agent: AgentSummary | undefined
  /** The agent's limits in the space; undefined without an agent. */
  link: SpaceLink | undefined
  onChange: (agentId: string | null) => void
}

/** With an explanation of the choice. */
export function AskerSelect({ agents, agent, link, onChange }: AskerSelectProps) {
  const { t } = useTranslation('rag-tester')
  const limits = useLimitTexts(link)
  return (
    <Field
      label={t(($) => $.try.as)}
      hint={
        agent ? [t(($) => $.try.asAgentHint, { name: agent.name }), ...limits].join(' ') : t(($) => $.try.asSpaceHint)
      }
    >
      <Select
        className="max-w-sm"
        value={agent?._id ?? SPACE}
        onValueChange={(next) => onChange(next === SPACE ? null : next)}
        options={[
          { value: SPACE, label: t(($) => $.try.asSpace) },
          ...agents.map(({ _id, name }) => ({ value: _id, label: t(($) => $.try.asAgent, { name }) })),
        ]}
      />
    </Field>
  )
}

/** Why the agent may find less than the space holds. */
function useLimitTexts(link: SpaceLink | undefined): string[] {
  const { t } = useTranslation('rag-tester')
  const { t: tKnowledge } = useTranslation('knowledge')
  const tags = link?.tags.join(', ')
  const languages = link?.languages.map((language) => tKnowledge(($) => $.marks.languages[language])).join(', ')
  return [
    ...(tags ? [t(($) => $.try.onlyTags, { tags })] : []),
    ...(languages ? [t(($) => $.try.onlyLanguages, { languages })] : []),
  ]
}
