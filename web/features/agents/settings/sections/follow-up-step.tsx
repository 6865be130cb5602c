// One reminder: when it comes and what it says.
import { Trash2 } from 'lucide-react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { SpanInput } from '#web/components/span-input.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { SelectField } from '../fields/select-field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { useSpanError } from '../fields/use-field-error.ts'

const MODES = ['text', 'generated'] as const
const MINUTE_MS = 60_000
/** Longest wait before a follow-up. */
const WAIT_MAX_MS = 7 * 24 * 60 * MINUTE_MS

/** `at` is its place among the steps, from 0. */
export function FollowUpStep({ at, onRemove }: { at: number; onRemove: () => void }) {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const error = useSpanError(`followUps.steps.${at}.afterMinutes`, WAIT_MAX_MS)
  const mode = useWatch({ control, name: `followUps.steps.${at}.mode` })
  return (
    <li className="rounded-lg border border-border p-4">
      <fieldset className="flex min-w-0 flex-col gap-4">
        <legend className="sr-only">{t(($) => $.followUps.step, { number: at + 1 })}</legend>
        <div className="flex items-center justify-between gap-3">
          <p aria-hidden="true" className="font-medium">
            {t(($) => $.followUps.step, { number: at + 1 })}
          </p>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t(($) => $.followUps.remove, { number: at + 1 })}
            onClick={onRemove}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Controller
            name={`followUps.steps.${at}.afterMinutes`}
            control={control}
            render={({ field }) => (
              <SpanInput
                label={t(($) => $.followUps.wait)}
                unitMs={MINUTE_MS}
                value={field.value}
                onValueChange={field.onChange}
                error={error}
              />
            )}
          />
          <SelectField
            name={`followUps.steps.${at}.mode`}
            label={t(($) => $.followUps.mode)}
            options={MODES.map((value) => ({ value, label: t(($) => $.followUps.modes[value]) }))}
          />
        </div>
        <TextField
          name={`followUps.steps.${at}.text`}
          label={t(($) => $.followUps.texts[mode ?? 'text'])}
          placeholder={t(($) => $.followUps.textPlaceholders[mode ?? 'text'])}
        />
      </fieldset>
    </li>
  )
}
