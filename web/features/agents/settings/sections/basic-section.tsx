// Settings: how the agent is shown to the people of the organization.
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import type { Agent } from '#shared/agents/agents.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { useFieldError } from '../fields/use-field-error.ts'
import { OpenSection } from '../section.tsx'
import { AvatarPicker } from './avatar-picker.tsx'

/** Name, address and picture. The address is shown only: it never changes. */
export function BasicSection({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const { control, register } = useFormContext<AgentForm>()
  const error = useFieldError('name')
  const name = useWatch({ control, name: 'name' })
  return (
    <OpenSection id="basic">
      <div className="flex flex-col gap-6">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={t(($) => $.settings.name)} hint={t(($) => $.settings.nameHint)} error={error} isRequired>
            <Input autoComplete="off" {...register('name')} />
          </Field>
          <Field label={t(($) => $.settings.slug)} hint={t(($) => $.settings.slugHint)}>
            <Input value={agent.slug} readOnly className="font-mono text-[0.8125rem]" />
          </Field>
        </div>
        <Controller
          name="avatar"
          control={control}
          render={({ field }) => (
            <AvatarPicker agent={agent} name={name} value={field.value} onChange={field.onChange} />
          )}
        />
      </div>
    </OpenSection>
  )
}
