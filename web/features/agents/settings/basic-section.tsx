// Settings: how the agent is shown to the people of the organization.
import { Controller, useFormContext } from 'react-hook-form'
import type { Agent } from '#shared/agents.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../agent-form.rules.ts'
import { useNameError } from '../use-field-errors.ts'
import { AvatarPicker } from './avatar-picker.tsx'

/** Name, address and picture. The address is shown only: it never changes. */
export function BasicSection({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const form = useFormContext<AgentForm>()
  const nameError = useNameError()
  return (
    <CardSection id="basic" title={t(($) => $.settings.basic)} description={t(($) => $.settings.basicHint)}>
      <div className="flex flex-col gap-6">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={t(($) => $.settings.name)} error={nameError(form.formState.errors.name)} isRequired>
            <Input autoComplete="off" {...form.register('name')} />
          </Field>
          <Field label={t(($) => $.settings.slug)} hint={t(($) => $.settings.slugHint)}>
            <Input value={agent.slug} readOnly className="bg-muted font-mono text-[0.8125rem]" />
          </Field>
        </div>
        <Controller
          name="avatar"
          control={form.control}
          render={({ field }) => (
            <AvatarPicker agent={agent} name={form.watch('name')} value={field.value} onChange={field.onChange} />
          )}
        />
      </div>
    </CardSection>
  )
}
