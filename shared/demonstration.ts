// Addresses of the simulated services of a demonstration; other installations have none.
import type { MessengerChannel } from './channels/manifests.ts'

/** Addresses of the pages that accompany a demonstration; `programAddress` is the one that its example program is connected by. */
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
