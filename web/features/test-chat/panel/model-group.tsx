// Another model, temperature or other instructions.
import type { Agent } from '#shared/agents/agents.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import { TEMPERATURE_FIXED, TEMPERATURE_MAX, TEMPERATURE_MIN } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Select, type SelectOption } from '#web/components/ui/select.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import type { VariantControls } from '../use-controls.ts'
import { Control } from './control.tsx'
import { LimitedNumber } from './limited-number.tsx'

/** Models without a key are listed too: the agent may have a key of its own. */
export function ModelGroup({ agent, state }: { agent: Agent; state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  const { controls, set } = state
  const models: ModelInfo[] | undefined = useQuery(api.models.list, {})
  const model = controls.model ?? agent.model
  const hasTemperature = models?.find(({ name }) => name === model)?.hasTemperature ?? true
  const temperature = hasTemperature ? (controls.temperature ?? agent.temperature) : TEMPERATURE_FIXED
  return (
    <>
      <Control state={state} name="model" label={t(($) => $.model.model)}>
        <Select
          value={model}
          onValueChange={(next) => set('model', next)}
          options={useModelOptions(models ?? [], [agent.model, model])}
        />
      </Control>
      <Control
        state={state}
        name="temperature"
        label={t(($) => $.model.temperature)}
        hint={hasTemperature ? t(($) => $.model.temperatureHint) : t(($) => $.model.temperatureFixed)}
      >
        <LimitedNumber
          value={temperature}
          min={TEMPERATURE_MIN}
          max={TEMPERATURE_MAX}
          disabled={!hasTemperature}
          onValueChange={(next) => set('temperature', next)}
        />
      </Control>
      <Control
        state={state}
        name="systemPrompt"
        label={t(($) => $.model.prompt)}
        hint={state.isPromptLocal ? t(($) => $.model.promptLocal) : undefined}
      >
        <Textarea
          value={controls.systemPrompt ?? agent.systemPrompt}
          onChange={(event) => set('systemPrompt', event.target.value)}
          className="max-h-72"
        />
      </Control>
    </>
  )
}

function useModelOptions(models: ModelInfo[], inUse: string[]): SelectOption[] {
  const { t } = useTranslation('test-chat')
  const unknown = [...new Set(inUse)].filter((name) => !models.some((model) => model.name === name))
  return [
    ...unknown.map((name) => ({ value: name, label: name })),
    ...models.map(({ name, label, provider, isConfigured }) => ({
      value: name,
      label,
      group: provider,
      hint: isConfigured ? undefined : t(($) => $.model.noKey),
    })),
  ]
}
