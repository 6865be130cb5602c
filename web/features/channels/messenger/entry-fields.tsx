// The fields of a messenger's form, and what is wrong with an entry.
import { useForm } from 'react-hook-form'
import type { EntryField } from '#shared/channels/manifest.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useFieldWords } from './use-field-words.ts'

type Entries = Record<string, string>

/** A form with all fields of a messenger, or with those that can be replaced: then what is left empty stays as it is. */
export function useEntryForm(channel: MessengerChannel, isChange = false) {
  const fields = messengerForm(channel).fields.filter(({ isSecret }) => isSecret || !isChange)
  const form = useForm<Entries>({ defaultValues: Object.fromEntries(fields.map(({ name }) => [name, ''])) })
  return { form, fields }
}

/** What was entered, without what was left empty. */
export function enteredIn(entries: Entries): Entries {
  const trimmed = Object.entries(entries).map(([name, text]) => [name, text.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, text]) => text !== ''))
}

type EntryFieldsProps = {
  channel: MessengerChannel
  form: ReturnType<typeof useEntryForm>['form']
  fields: EntryField[]
  /** Something is entered already: a field may be left empty, unless it is the only one. */
  isChange?: boolean
}

/** What is wrong with an entry shows below it. */
export function EntryFields({ channel, form, fields, isChange = false }: EntryFieldsProps) {
  const wordsOf = useFieldWords(channel)
  const { errors } = form.formState
  return fields.map(({ name, pattern, isOptional = false }) => {
    const { label, hint, wrong } = wordsOf(name)
    const mayBeEmpty = isOptional || (isChange && fields.length > 1)
    const validate = (text = '') => (text.trim() === '' ? mayBeEmpty : pattern.test(text.trim())) || wrong
    return (
      <Field
        key={name}
        label={label}
        hint={hint}
        error={errors[name]?.message}
        isOptional={mayBeEmpty}
        isRequired={!mayBeEmpty}
      >
        <Input autoComplete="off" spellCheck={false} className="font-mono" {...form.register(name, { validate })} />
      </Field>
    )
  })
}
