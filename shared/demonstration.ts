// Where a demonstration lets people play what is outside: every other installation has none of it.
import type { MessengerChannel } from './channels/manifests.ts'

/** Addresses of the pages beside a demonstration; `programAddress` is what its example program is connected by. */
export type Demonstration = {
  /** Of those that it has. */
  messengers: Partial<Record<MessengerChannel, string>>
  telegram: string
  whatsapp: string
  whatsappCloud: string
  webchat: string
  program: string
  programAddress: string
}
