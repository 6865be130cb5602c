// Which model helps the people who answer customers.
import { Controller, useFormContext } from 'react-hook-form'
import { EXTRACTIVE_MODEL, type ModelInfo } from '#shared/agents/models.ts'
import type { OrganizationSettings } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select, type SelectOption } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Stands in the list for the model of the agent; no model has this name. */
const OWN = '*'

/** Part of the form of the organization. */
export function HelperSection() {
  const { t } = useTranslation('settings')
  const { control } = useFormContext<OrganizationSettings>()
  return (
    <CardSection title={t(($) => $.helper.title)} description={t(($) => $.helper.description)}>
      <Controller
        control={control}
        name="helperModel"
        render={({ field }) => <ModelField value={field.value} onChange={field.onChange} />}
      />
    </CardSection>
  )
}

function ModelField({ value, onChange }: { value: string; onChange: (model: string) => void }) {
  const { t } = useTranslation('settings')
  return (
    <Field label={t(($) => $.helper.model)} hint={t(($) => $.helper.modelHint)}>
      <Select
        className="sm:w-80"
        value={value === '' ? OWN : value}
        onValueChange={(next) => onChange(next === OWN ? '' : next)}
        options={useOptions(value)}
      />
    </Field>
  )
}

/** Every model that writes. One without a key is listed too: agents may have keys of their own. */
function useOptions(chosen: string): SelectOption[] {
  const { t } = useTranslation('settings')
  const models: ModelInfo[] = useQuery(api.models.list, {}) ?? []
  const isUnlisted = chosen !== '' && !models.some(({ name }) => name === chosen)
  return [
    { value: OWN, label: t(($) => $.helper.own) },
    ...(isUnlisted ? [{ value: chosen, label: chosen }] : []),
    ...models
      .filter(({ name }) => name !== EXTRACTIVE_MODEL)
      .map(({ name, label, provider, isConfigured }) => ({
        value: name,
        label,
        group: provider,
        ...(!isConfigured && { hint: t(($) => $.helper.noKey) }),
      })),
  ]
}
