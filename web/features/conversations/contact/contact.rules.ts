// What a contact is called on the screen.
import type { Contact } from '#shared/messaging/contacts.ts'

/** By the team, else by the channel; where neither knows a name, what the channel knows them by. */
export function nameOf(contact: Contact): string {
  return contact.givenName || contact.channelName || contact.identifiers[0]?.externalId || contact._id
}
