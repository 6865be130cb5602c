// The labels of the fields in a messenger's form.

import type { CHANNELS, MessengerChannel } from '#shared/channels/manifests.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** `wrong`: the error below an entry of another format. */
export type FieldWords = Record<'label' | 'hint' | 'wrong', string>

type FieldName = (typeof CHANNELS)[MessengerChannel]['form']['fields'][number]['name']

/** @returns the words of one field, by the name that it has in the form */
export function useFieldWords(channel: MessengerChannel): (name: string) => FieldWords {
  const { t } = useTranslation('channels')
  return (name) => {
    // Each form has words for its own fields only, which a test verifies.
    const word = (which: keyof FieldWords) =>
      t(($) => ($.messengers[channel].fields as Record<FieldName, FieldWords>)[name as FieldName][which])
    return { label: word('label'), hint: word('hint'), wrong: word('wrong') }
  }
}
