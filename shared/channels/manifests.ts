// The channels that there are: a new one is a line here. Their adapters: server/integrations/channels/registry.ts.
import type { ChannelManifest } from './manifest.ts'
import { avito } from './manifests/avito.manifest.ts'
import { http } from './manifests/http.manifest.ts'
import { instagram } from './manifests/instagram.manifest.ts'
import { max } from './manifests/max.manifest.ts'
import { telegram } from './manifests/telegram.manifest.ts'
import { vk } from './manifests/vk.manifest.ts'
import { webchat } from './manifests/webchat.manifest.ts'
import { whatsapp } from './manifests/whatsapp.manifest.ts'
import { whatsappCloud } from './manifests/whatsapp-cloud.manifest.ts'

/** In the order in which they are offered. */
export const CHANNELS = {
  telegram,
  whatsapp,
  whatsappCloud,
  max,
  vk,
  avito,
  instagram,
  webchat,
  http,
} as const satisfies Record<string, ChannelManifest>

/** A channel by which customers write. */
export type ConnectedChannel = keyof typeof CHANNELS

/** One that is connected by a form alone: functions and screens are the same for all of them. */
export type MessengerChannel = {
  [Name in ConnectedChannel]: (typeof CHANNELS)[Name]['form'] extends null ? never : Name
}[ConnectedChannel]

/** All, in the order in which they are offered. */
export const CHANNEL_NAMES = Object.keys(CHANNELS) as ConnectedChannel[]

/** Those that a form connects. */
export const MESSENGER_CHANNELS: readonly MessengerChannel[] = CHANNEL_NAMES.filter(isMessenger)

/** Whether a channel is connected by a form alone. */
export function isMessenger(channel: string): channel is MessengerChannel {
  return Boolean(manifestOf(channel)?.form)
}

/** Null: the test chat, or a channel that only a newer server knows. */
export function manifestOf(channel: string): ChannelManifest | null {
  return Object.hasOwn(CHANNELS, channel) ? CHANNELS[channel as ConnectedChannel] : null
}

/** Those of which something holds. */
export function channelsWhere(holds: (manifest: ChannelManifest) => boolean): ConnectedChannel[] {
  return CHANNEL_NAMES.filter((channel) => holds(CHANNELS[channel]))
}

const TEST_CHAT = { ru: 'Тестовый чат', en: 'Test chat' }

/** What people call a channel; one that only a newer server knows goes by its code. */
export function channelName(channel: string, language: 'ru' | 'en'): string {
  const name = channel === 'test' ? TEST_CHAT : manifestOf(channel)?.name
  return name?.[language] ?? channel
}
