// How a booking looks in the calendar: its title and description with placeholders, a preview, and reminders.
import { useId } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import {
  EVENT_DESCRIPTION_MAX,
  EVENT_TITLE_MAX,
  type EventTemplates,
  eventTemplates,
} from '#shared/integrations/calendar.ts'
import {
  EVENT_PLACEHOLDERS,
  type EventValues,
  fillDescription,
  fillTitle,
  unknownPlaceholders,
} from '#shared/integrations/event-templates.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { RemindersField } from './reminders-field.tsx'
import { SetupForm, useDraft } from './setup-form.tsx'

/** Refuses placeholders that there are not before they are saved. */
export function TemplatesTab({ agent, saved }: { agent: AgentSummary; saved: EventTemplates }) {
  const { t } = useTranslation('integrations')
  const save = useMutation(api.integrations.calendar.saveTemplates)
  const { value, isDirty, set, discard } = useDraft(saved)
  const { title, description, reminders } = value
  const unknownIn = (text: string) => {
    const names = unknownPlaceholders(text)
    return names.length > 0 ? t(($) => $.calendar.templates.unknown, { names: names.join(', ') }) : undefined
  }
  const isEmpty = title.trim() === ''
  return (
    <CardSection title={t(($) => $.calendar.templates.title)} description={t(($) => $.calendar.templates.description)}>
      <SetupForm
        isDirty={isDirty}
        isRight={eventTemplates.safeParse(value).success}
        onDiscard={discard}
        onSave={() => save({ agentId: agent._id, templates: value })}
      >
        <Field
          label={t(($) => $.calendar.templates.name)}
          error={isEmpty ? t(($) => $.calendar.templates.empty) : unknownIn(title)}
          counter={{ used: title.length, max: EVENT_TITLE_MAX }}
        >
          <Input value={title} onChange={(event) => set({ title: event.target.value })} />
        </Field>
        <Field
          label={t(($) => $.calendar.templates.text)}
          error={unknownIn(description)}
          counter={{ used: description.length, max: EVENT_DESCRIPTION_MAX }}
        >
          <Textarea rows={5} value={description} onChange={(event) => set({ description: event.target.value })} />
        </Field>
        <Placeholders
          onInsert={(name) => set({ description: `${description}${description === '' ? '' : '\n'}{{${name}}}` })}
        />
        {unknownPlaceholders(title + description).length === 0 && <Preview agent={agent} templates={value} />}
        <RemindersField value={reminders} onChange={(next) => set({ reminders: next })} />
      </SetupForm>
    </CardSection>
  )
}

function Placeholders({ onInsert }: { onInsert: (name: string) => void }) {
  const { t } = useTranslation('integrations')
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <p id={id} className="font-medium">
        {t(($) => $.calendar.templates.insert)}
      </p>
      <ul aria-labelledby={id} className="flex flex-wrap gap-2">
        {EVENT_PLACEHOLDERS.map((name) => (
          <li key={name}>
            <Button size="sm" onClick={() => onInsert(name)}>
              <code>{`{{${name}}}`}</code>
              <span className="font-normal text-muted-foreground">{t(($) => $.calendar.templates.values[name])}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Preview({ agent, templates }: { agent: AgentSummary; templates: EventTemplates }) {
  const { t } = useTranslation('integrations')
  const { name, displayName } = useOrganization()
  const values: EventValues = {
    customer: t(($) => $.calendar.templates.sample.customer),
    phone: t(($) => $.calendar.templates.sample.phone),
    email: t(($) => $.calendar.templates.sample.email),
    note: t(($) => $.calendar.templates.sample.note),
    channel: t(($) => $.calendar.templates.sample.channel),
    link: t(($) => $.calendar.templates.sample.link),
    agent: agent.name,
    organization: displayName || name,
  }
  return (
    <section aria-label={t(($) => $.calendar.templates.preview)} className="rounded-lg border border-border p-4">
      <p className="text-[0.8125rem] text-muted-foreground">
        {t(($) => $.calendar.templates.preview)} · {t(($) => $.calendar.templates.previewHint)}
      </p>
      <p className="mt-2 break-words font-semibold">{fillTitle(templates.title, values)}</p>
      <p className="mt-1 whitespace-pre-wrap break-words">{fillDescription(templates.description, values)}</p>
    </section>
  )
}
