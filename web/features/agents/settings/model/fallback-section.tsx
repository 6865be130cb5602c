// Settings: what happens when the model fails.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import type { ModelInfo } from '#shared/agents/models.ts'
import { FALLBACK_MODELS_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { TextField } from '../fields/text-field.tsx'
import { useFieldError } from '../fields/use-field-error.ts'
import { FoldedSection } from '../section.tsx'
import { ModelSelect } from './model-select.tsx'

const LAST_RESORTS = ['silent', 'text', 'handoff'] as const

/** Other models in their order, and what comes when all have failed. */
export function FallbackSection({ models }: { models: ModelInfo[] }) {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const fallback = useWatch({ control, name: 'fallback' })
  const { last } = fallback
  const labels = fallback.models.map((name) => models.find((model) => model.name === name)?.label ?? name)
  const summary = [
    labels.length > 0 ? t(($) => $.fallback.then, { models: labels.join(' → ') }) : t(($) => $.fallback.noModels),
    t(($) => $.fallback.lastShort[last]),
  ]
  return (
    <FoldedSection id="fallback" summary={summary.join(' · ')} isSet={labels.length > 0 || last !== 'silent'}>
      <Controller
        name="fallback.models"
        control={control}
        render={({ field }) => <ModelChain models={models} value={field.value} onChange={field.onChange} />}
      />
      <div className="flex flex-col gap-2">
        <p className="font-medium">{t(($) => $.fallback.last)}</p>
        <Controller
          name="fallback.last"
          control={control}
          render={({ field }) => (
            <RadioGroup
              label={t(($) => $.fallback.last)}
              value={field.value}
              onValueChange={field.onChange}
              options={LAST_RESORTS.map((value) => ({
                value,
                label: t(($) => $.fallback.lasts[value]),
                hint: t(($) => $.fallback.lastHints[value]),
              }))}
            />
          )}
        />
      </div>
      {last !== 'silent' && (
        <TextField
          name="fallback.text"
          label={t(($) => $.fallback.text)}
          hint={t(($) => $.fallback.textHints[last])}
          placeholder={t(($) => $.fallback.textPlaceholder)}
        />
      )}
    </FoldedSection>
  )
}

type ModelChainProps = { models: ModelInfo[]; value: string[]; onChange: (models: string[]) => void }

function ModelChain({ models, value, onChange }: ModelChainProps) {
  const { t } = useTranslation('agents')
  const error = useFieldError('fallback.models')
  const replace = (at: number, name: string) => onChange(value.with(at, name))
  const swap = (at: number, to: number) => onChange(value.with(at, value[to] ?? '').with(to, value[at] ?? ''))
  return (
    <div className="flex flex-col gap-4">
      <ol className="flex flex-col gap-4">
        {value.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place in the chain is all that an unfinished entry has
          <li key={at} className="flex flex-col gap-1 sm:flex-row sm:items-start">
            <div className="min-w-0 flex-1">
              <ModelSelect
                label={t(($) => $.fallback.place, { number: at + 1 })}
                models={models}
                value={name}
                onChange={(chosen) => replace(at, chosen)}
                error={name === '' ? error : undefined}
              />
            </div>
            <div className="flex self-end sm:mt-6.5 sm:self-auto">
              <Button
                variant="ghost"
                size="icon"
                disabled={at === 0}
                aria-label={t(($) => $.fallback.earlier, { number: at + 1 })}
                onClick={() => swap(at, at - 1)}
              >
                <ArrowUp aria-hidden="true" />
              </Button>
              <Button
                variant="ghost"
                size="icon"
                disabled={at === value.length - 1}
                aria-label={t(($) => $.fallback.later, { number: at + 1 })}
                onClick={() => swap(at, at + 1)}
              >
                <ArrowDown aria-hidden="true" />
              </Button>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t(($) => $.fallback.remove, { number: at + 1 })}
                onClick={() => onChange(value.filter((_, each) => each !== at))}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </div>
          </li>
        ))}
      </ol>
      {value.length < FALLBACK_MODELS_MAX && (
        <Button className="self-start" onClick={() => onChange([...value, ''])}>
          <Plus aria-hidden="true" />
          {t(($) => $.fallback.add)}
        </Button>
      )}
    </div>
  )
}
