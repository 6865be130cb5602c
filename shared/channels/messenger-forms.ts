// What is asked for when a messenger is connected, as its manifest says, and whether an entry will do.
import type { EntryForm } from './manifest.ts'
import { CHANNELS, type MessengerChannel } from './manifests.ts'

/** The form of a messenger, with the type that all of them share. */
export function messengerForm(channel: MessengerChannel): EntryForm {
  return CHANNELS[channel].form
}

/**
 * The first invalid field of an entry: missing, unknown or malformed; null: all are valid.
 *
 * @param isChange omitted fields keep their value
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
