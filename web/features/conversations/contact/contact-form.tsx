// The form for the team's details of a customer.
import { Plus, X } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { CONTACT_ATTRIBUTES_MAX, CONTACT_NAME_MAX, CONTACT_TAGS_MAX } from '#shared/limits.ts'
import { type Contact, contactPatch } from '#shared/messaging/contacts.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { ChipInput } from '#web/components/ui/chip-input.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type ContactFormProps = { contact: Contact; onDirtyChange: (isDirty: boolean) => void; onSaved: () => void }
type Draft = Pick<Contact, 'tags' | 'attributes' | 'note'> & { name: string }

/** Saved as a whole, by the button. Starts from the contact at the time of mounting. */
export function ContactForm({ contact, onDirtyChange, onSaved }: ContactFormProps) {
  const { t } = useTranslation('conversations')
  const update = useMutation(api.conversations.contacts.update)
  const [first] = useState<Draft>(() => draftOf(contact))
  const [draft, setDraft] = useState(first)
  const [isSaving, setSaving] = useState(false)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(first)
  const checked = contactPatch.safeParse(draft)
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange])
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  async function save(event: FormEvent) {
    event.preventDefault()
    if (!checked.success) return
    setSaving(true)
    try {
      await update({ customerId: contact._id, patch: checked.data })
      toast.success(t(($) => $.contact.saved))
      onSaved()
    } catch {
      setSaving(false) // reported in a toast
    }
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={save}>
      <Field label={t(($) => $.contact.name)} hint={t(($) => $.contact.nameHint, { name: contact.channelName })}>
        <Input
          value={draft.name}
          maxLength={CONTACT_NAME_MAX}
          placeholder={contact.channelName}
          autoComplete="off"
          onChange={({ target }) => change({ name: target.value })}
        />
      </Field>
      <Field label={t(($) => $.contact.tags)}>
        <ChipInput value={draft.tags} max={CONTACT_TAGS_MAX} onValueChange={(tags) => change({ tags })} />
      </Field>
      <AttributeFields attributes={draft.attributes} onChange={(attributes) => change({ attributes })} />
      <Field label={t(($) => $.contact.note)}>
        <Textarea value={draft.note} onChange={({ target }) => change({ note: target.value })} />
      </Field>
      {isDirty && !checked.success && (
        <p role="alert" className="text-[0.8125rem] text-destructive-soft-foreground">
          {t(($) => $.contact.invalid)}
        </p>
      )}
      {isDirty && (
        <div className="flex gap-2">
          <Button type="submit" variant="primary" size="sm" isBusy={isSaving} disabled={!checked.success}>
            {t(($) => $.contact.save)}
          </Button>
          <Button size="sm" onClick={() => setDraft(first)}>
            {t(($) => $.contact.discard)}
          </Button>
        </div>
      )}
    </form>
  )
}

function draftOf({ givenName, tags, attributes, note }: Contact): Draft {
  return { name: givenName ?? '', tags, attributes, note }
}

type AttributesProps = { attributes: Contact['attributes']; onChange: (attributes: Contact['attributes']) => void }

function AttributeFields({ attributes, onChange }: AttributesProps) {
  const { t } = useTranslation('conversations')
  const set = (index: number, part: Partial<Contact['attributes'][number]>) =>
    onChange(attributes.map((each, at) => (at === index ? { ...each, ...part } : each)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">{t(($) => $.contact.attributes)}</legend>
      {attributes.map(({ key, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys are what is being typed
        <div key={index} className="flex gap-2">
          <Input
            value={key}
            aria-label={t(($) => $.contact.key)}
            placeholder={t(($) => $.contact.key)}
            onChange={({ target }) => set(index, { key: target.value })}
          />
          <Input
            value={value}
            aria-label={t(($) => $.contact.valueOf, { key })}
            placeholder={t(($) => $.contact.value)}
            onChange={({ target }) => set(index, { value: target.value })}
          />
          <Button
            variant="ghost"
            size="icon"
            aria-label={t(($) => $.contact.removeAttribute, { key })}
            onClick={() => onChange(attributes.filter((_, at) => at !== index))}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      {attributes.length < CONTACT_ATTRIBUTES_MAX && (
        <Button
          variant="ghost"
          size="sm"
          className="self-start"
          onClick={() => onChange([...attributes, { key: '', value: '' }])}
        >
          <Plus aria-hidden="true" />
          {t(($) => $.contact.addAttribute)}
        </Button>
      )}
    </fieldset>
  )
}
