// The choice of a model: by provider, with prices, and with a word about models that cannot answer here.
import { useState } from 'react'
import { EXTRACTIVE_MODEL, type ModelInfo } from '#shared/agents/models.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Select, type SelectOption } from '#web/components/ui/select.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { groupModels, isBuiltIn, type ModelGroup } from '../../models.rules.ts'
import { providerName } from './provider-names.ts'

/** Stands in the list for "a model that is not listed"; no model has this name. */
const OTHER = '*'

type ModelSelectProps = {
  label: string
  hint?: string
  error?: string | undefined
  models: ModelInfo[]
  /** Name of the chosen model; may be one that is not in the registry. */
  value: string
  onChange: (model: string) => void
}

/** Models without a key are listed last and marked; one that is chosen all the same says what to do. Any other name can be typed. */
export function ModelSelect({ label, hint, error, models, value, onChange }: ModelSelectProps) {
  const { t } = useTranslation('agents')
  const [isTyping, setTyping] = useState(false)
  const options = useModelOptions(models)
  const isListed = value === '' || models.some((model) => model.name === value)
  const isOther = isTyping || !isListed
  return (
    <div className="flex flex-col gap-3">
      <Field label={label} hint={hint} error={isOther ? undefined : error}>
        <Select
          value={isOther ? OTHER : value}
          onValueChange={(next) => {
            setTyping(next === OTHER)
            if (next !== OTHER) onChange(next)
          }}
          options={options}
          placeholder={t(($) => $.model.placeholder)}
        />
      </Field>
      {isOther && (
        <Field label={t(($) => $.model.otherLabel)} hint={t(($) => $.model.otherHint)} error={error}>
          <Input
            value={isListed && isTyping ? '' : value}
            onChange={(event) => onChange(event.target.value.trim())}
            placeholder={t(($) => $.model.otherPlaceholder)}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
      )}
      {!isTyping && <ModelNote model={models.find((model) => model.name === value)} value={value} />}
    </div>
  )
}

function useModelOptions(models: ModelInfo[]): SelectOption[] {
  const { t } = useTranslation('agents')
  const options = groupModels(models).flatMap((group) =>
    group.models.map((model) => ({
      value: model.name,
      label: model.label,
      hint: model.isConfigured ? priceText(model) : `${t(($) => $.model.notConfigured)} · ${priceText(model)}`,
      group: groupLabel(group),
    })),
  )
  return [...options, { value: OTHER, label: t(($) => $.model.other) }]

  function groupLabel(group: ModelGroup): string {
    if (isBuiltIn(group)) return t(($) => $.model.builtIn)
    const name = providerName(group.provider)
    return group.isConfigured ? name : `${name} – ${t(($) => $.model.notConfigured)}`
  }

  function priceText({ inputUsdPerMillion: input, outputUsdPerMillion: output }: ModelInfo): string {
    if (input === null || output === null) return t(($) => $.model.priceUnknown)
    if (input === 0 && output === 0) return t(($) => $.model.free)
    return t(($) => $.model.price, { input: formatNumber(input, 3), output: formatNumber(output, 3) })
  }
}

function ModelNote({ model, value }: { model: ModelInfo | undefined; value: string }) {
  const { t } = useTranslation('agents')
  if (value === EXTRACTIVE_MODEL) return <Alert>{t(($) => $.model.extractiveHelp)}</Alert>
  if (model && !model.isConfigured) return <Alert tone="warning">{t(($) => $.model.notConfiguredHelp)}</Alert>
  if (value !== '' && !model) return <Alert>{t(($) => $.model.unknownHelp)}</Alert>
  return null
}
