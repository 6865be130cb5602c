// What the fields of a messenger's form are called.

import type { CHANNELS, MessengerChannel } from '#shared/channels/manifests.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** `wrong`: what is said below an entry that has another form. */
export type FieldWords = Record<'label' | 'hint' | 'wrong', string>

type FieldName = (typeof CHANNELS)[MessengerChannel]['form']['fields'][number]['name']

/** @returns the words of one field, by the name that it has in the form */
export function useFieldWords(channel: MessengerChannel): (name: string) => FieldWords {
  const { t } = useTranslation('channels')
  return (name) => {
    // Each form has words for its own fields only, which a test looks after.
    const word = (which: keyof FieldWords) =>
      t(($) => ($.messengers[channel].fields as Record<FieldName, FieldWords>)[name as FieldName][which])
    return { label: word('label'), hint: word('hint'), wrong: word('wrong') }
  }
}
