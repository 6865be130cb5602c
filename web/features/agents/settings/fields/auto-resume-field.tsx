// When the agent speaks again by itself: one of the presets, never, or any number of minutes or hours.
import { useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { AUTO_RESUME_MAX_MS, AUTO_RESUME_PRESETS_MS } from '#shared/limits.ts'
import { SpanInput } from '#web/components/span-input.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { formatSpan } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { useSpanError } from './use-field-error.ts'

const BY_HAND = 'by-hand'
const CUSTOM = 'custom'

/** The default of the pause dialog, too. */
export function AutoResumeField() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const error = useSpanError('handoff.autoResumeMs', AUTO_RESUME_MAX_MS)
  return (
    <Controller
      name="handoff.autoResumeMs"
      control={control}
      render={({ field }) => (
        <AutoResume
          value={field.value}
          onChange={field.onChange}
          error={error}
          label={t(($) => $.handoff.autoResume)}
        />
      )}
    />
  )
}

type AutoResumeProps = {
  label: string
  /** Milliseconds; null: when a person says so. */
  value: number | null
  onChange: (value: number | null) => void
  error: string | undefined
}

function AutoResume({ label, value, onChange, error }: AutoResumeProps) {
  const { t } = useTranslation('agents')
  const [isCustom, setCustom] = useState(value !== null && !AUTO_RESUME_PRESETS_MS.includes(value))
  const choice = isCustom ? CUSTOM : value === null ? BY_HAND : String(value)
  const options = [
    { value: BY_HAND, label: t(($) => $.handoff.byHand) },
    ...AUTO_RESUME_PRESETS_MS.map((milliseconds) => ({
      value: String(milliseconds),
      label: formatSpan(milliseconds),
    })),
    { value: CUSTOM, label: t(($) => $.handoff.customTime) },
  ]
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={label} hint={t(($) => $.handoff.autoResumeHint)} error={isCustom ? undefined : error}>
        <Select
          value={choice}
          options={options}
          onValueChange={(next) => {
            setCustom(next === CUSTOM)
            if (next !== CUSTOM) onChange(next === BY_HAND ? null : Number(next))
            else if (value === null) onChange(AUTO_RESUME_PRESETS_MS[0] ?? null)
          }}
        />
      </Field>
      {isCustom && (
        <SpanInput
          label={t(($) => $.handoff.customTime)}
          unitMs={1}
          value={value}
          onValueChange={onChange}
          error={error}
        />
      )}
    </div>
  )
}
