// The adapters of all channels: a new one is a line here. Their manifests for screens are in shared/channels/manifests.ts.
import type { Outbound } from '#server/integrations/http/outbound.ts'
import type { ConnectedChannel, MessengerChannel } from '#shared/channels/manifests.ts'
import { createAvitoChannel } from './avito/avito.ts'
import type { OutgoingFile } from './contract/channel.media.ts'
import type { ChannelAdapter, CredentialFormChannel } from './contract/channel.ts'
import { createWhatsappChannel } from './green-api/green-api.ts'
import { createHttpChannel } from './http-channel/http-channel.ts'
import { createInstagramChannel } from './instagram/instagram.ts'
import { createMaxChannel } from './max/max.ts'
import { createTelegramChannel } from './telegram/telegram.ts'
import { createVkChannel } from './vk/vk.ts'
import { createWebchatChannel } from './webchat/webchat.ts'
import { createWhatsappCloudChannel } from './whatsapp-cloud/whatsapp-cloud.ts'

/** The addresses of providers, under their names in the server's configuration. */
export type ChannelSettings = {
  telegramApiRoot: string
  greenApiPartner: { url: string; token: string } | undefined
  whatsappGraphUrl: string
  maxApiUrl: string
  vkApiUrl: string
  avitoApiUrl: string
  instagramGraph: { url: string; version: string }
}

/** `outbound`: by which files and addresses that people have entered are fetched. `linkTo`: where the provider fetches a file of ours; null: nowhere. */
export type ChannelTools = { outbound: Outbound; linkTo: (file: OutgoingFile) => string | null }

type Factory<Adapter> = (settings: ChannelSettings, tools: ChannelTools) => Adapter

const FACTORIES = {
  telegram: ({ telegramApiRoot: apiRoot }: ChannelSettings) => createTelegramChannel({ apiRoot }),
  whatsapp: ({ greenApiPartner: partner }, { outbound }) => createWhatsappChannel({ outbound, partner }),
  whatsappCloud: ({ whatsappGraphUrl: graphUrl }) => createWhatsappCloudChannel({ graphUrl }),
  max: ({ maxApiUrl: apiUrl }, { outbound }) => createMaxChannel({ apiUrl, outbound }),
  vk: ({ vkApiUrl: apiUrl }, { outbound }) => createVkChannel({ apiUrl, outbound }),
  avito: ({ avitoApiUrl: apiUrl }, { outbound }) => createAvitoChannel({ apiUrl, outbound }),
  instagram: ({ instagramGraph }, tools) => createInstagramChannel({ ...instagramGraph, ...tools }),
  http: (_, { outbound }) => createHttpChannel({ outbound }),
  webchat: () => createWebchatChannel(),
} satisfies Record<ConnectedChannel, Factory<ChannelAdapter>> & Record<MessengerChannel, Factory<CredentialFormChannel>>

/** Channel name → adapter. */
export type Channels = { [Name in ConnectedChannel]: ReturnType<(typeof FACTORIES)[Name]> }

/** Creates all of them; no provider is called yet. */
export function createChannels(settings: ChannelSettings, tools: ChannelTools): Channels {
  const made = Object.entries(FACTORIES).map(([name, create]) => [name, create(settings, tools)])
  return Object.fromEntries(made) as Channels
}
