// What is asked for when a messenger is connected, as its manifest says, and whether an entry will do.
import type { EntryForm } from './manifest.ts'
import { CHANNELS, type MessengerChannel } from './manifests.ts'

/** The form of a messenger, with the type that all of them share. */
export function messengerForm(channel: MessengerChannel): EntryForm {
  return CHANNELS[channel].form
}

/**
 * What of an entry is wrong: a field that is missing, unknown or has another form; null: nothing is.
 *
 * @param isChange what is left out stays as it is
 */
export function wrongField(
  channel: MessengerChannel,
  entered: Readonly<Record<string, string>>,
  isChange = false,
): string | null {
  const { fields } = messengerForm(channel)
  const unknown = Object.keys(entered).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) return unknown
  const wrong = fields.find(({ name, pattern, isOptional }) => {
    const value = entered[name] ?? ''
    return value === '' ? !(isChange || isOptional) : !pattern.test(value)
  })
  return wrong?.name ?? null
}
