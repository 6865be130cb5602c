// Messengers that are connected with values copied from the provider's own pages. Their forms: messenger-forms.ts.

/** In the order in which they are offered. */
export const MESSENGER_CHANNELS = ['max', 'vk', 'avito', 'instagram'] as const
export type MessengerChannel = (typeof MESSENGER_CHANNELS)[number]

/** Whether a channel is one of them. */
export function isMessenger(channel: string): channel is MessengerChannel {
  return (MESSENGER_CHANNELS as readonly string[]).includes(channel)
}
