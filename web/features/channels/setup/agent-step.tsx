// First step of any channel: which agent answers.
import type { AgentSummary } from '#shared/agents/agents.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useModelLabel } from '#web/lib/use-model-label.ts'

type AgentStepProps = {
  agents: AgentSummary[]
  chosen: AgentSummary | undefined
  onChoose: (agent: AgentSummary) => void
  onContinue: (agent: AgentSummary) => void
}

/** An agent without knowledge can be chosen, with a word about it. */
export function AgentStep({ agents, chosen, onChoose, onContinue }: AgentStepProps) {
  const { t } = useTranslation('channels')
  const modelLabel = useModelLabel()
  return (
    <CardSection title={t(($) => $.setup.chooseAgent)} description={t(($) => $.setup.chooseAgentHint)}>
      <div className="flex flex-col gap-5">
        <RadioGroup
          label={t(($) => $.setup.chooseAgent)}
          value={chosen?.slug ?? ''}
          onValueChange={(slug) => {
            const agent = agents.find((each) => each.slug === slug)
            if (agent) onChoose(agent)
          }}
          options={agents.map((agent) => ({
            value: agent.slug,
            label: agent.name,
            hint:
              agent.knowledgeSpaceIds.length > 0
                ? modelLabel(agent.model)
                : `${modelLabel(agent.model)} · ${t(($) => $.setup.noKnowledge)}`,
          }))}
        />
        <Button variant="primary" className="self-end" disabled={!chosen} onClick={() => chosen && onContinue(chosen)}>
          {t(($) => $.setup.next)}
        </Button>
      </div>
    </CardSection>
  )
}
