// Who searches in the tester: anybody in this space, or one of its agents with everything that it may use.
import type { AgentSummary } from '#shared/agents.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const SPACE = 'space'

type AskerSelectProps = {
  /** Those that use the space. */
  agents: AgentSummary[]
  /** Undefined: nobody in particular. */
  agent: AgentSummary | undefined
  onChange: (agentId: string | null) => void
}

/** Says what the choice means. */
export function AskerSelect({ agents, agent, onChange }: AskerSelectProps) {
  const { t } = useTranslation('rag-tester')
  return (
    <Field
      label={t(($) => $.try.as)}
      hint={agent ? t(($) => $.try.asAgentHint, { name: agent.name }) : t(($) => $.try.asSpaceHint)}
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
