// Settings: what writes the answers, and how freely.
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import type { ModelInfo } from '#shared/agents/models.ts'
import { TEMPERATURE_MAX, TEMPERATURE_MIN } from '#shared/limits.ts'
import { Slider } from '#web/components/ui/slider.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { temperatureOf } from '../../models.rules.ts'
import { useFieldError } from '../fields/use-field-error.ts'
import { OpenSection } from '../section.tsx'
import { ModelSelect } from './model-select.tsx'

/** Model and temperature. */
export function ModelSection({ models }: { models: ModelInfo[] }) {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const error = useFieldError('model')
  const chosen = useWatch({ control, name: 'model' })
  const model = models.find((each) => each.name === chosen)
  return (
    <OpenSection id="model">
      <div className="flex flex-col gap-6">
        <Controller
          name="model"
          control={control}
          render={({ field }) => (
            <ModelSelect
              label={t(($) => $.settings.model)}
              models={models}
              error={error}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        <Controller
          name="temperature"
          control={control}
          render={({ field }) => <TemperatureSlider model={model} value={field.value} onChange={field.onChange} />}
        />
      </div>
    </OpenSection>
  )
}

type TemperatureSliderProps = { model: ModelInfo | undefined; value: number; onChange: (value: number) => void }

/** Locked at 1.00 where the model takes no other value; the chosen value comes back with a model that does. */
export function TemperatureSlider({ model, value, onChange }: TemperatureSliderProps) {
  const { t } = useTranslation('agents')
  const temperature = temperatureOf(model, value)
  const shown = temperature.value.toFixed(2)
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between">
        <span id="temperature-label" className="font-medium">
          {t(($) => $.settings.temperature)}
        </span>
        <output className="font-mono text-[0.8125rem] tabular-nums">{shown}</output>
      </div>
      <Slider
        value={temperature.value}
        onValueChange={onChange}
        min={TEMPERATURE_MIN}
        max={TEMPERATURE_MAX}
        step={0.05}
        disabled={temperature.isFixed}
        valueText={shown}
        aria-labelledby="temperature-label"
        aria-describedby="temperature-hint"
      />
      <p id="temperature-hint" className="text-[0.8125rem] text-muted-foreground">
        {temperature.isFixed
          ? t(($) => $.settings.temperatureFixed, { value: shown })
          : t(($) => $.settings.temperatureHint)}
      </p>
    </div>
  )
}
