// The channels that there are: of which kind, what they cost beside Parley, and where they are set up.
import type { Channel } from '#shared/channels/channels.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { MESSENGER_CHANNELS } from '#shared/channels/messengers.ts'
import { paths } from '#web/lib/paths.ts'

/** Kinds of channels, in the order of the tabs. */
export const CATEGORIES = ['all', 'messenger', 'social', 'custom'] as const
export type Category = (typeof CATEGORIES)[number]

/** Whether a channel can be used, as its label says. */
export type Availability = 'available' | 'beta' | 'premium' | 'comingSoon'

/** `cost`: what the channel itself costs, or who else is paid for it. What a plan limits is in `SLOT_CHANNELS`. */
export type CatalogueEntry = {
  channel: Exclude<Channel, 'test'>
  category: Exclude<Category, 'all'>
  availability: Availability
  cost: 'free' | 'greenApi' | 'meta' | 'provider'
  list: string
  setup: string
}

const CATALOGUE: readonly CatalogueEntry[] = [
  entry('telegram', 'messenger', 'free', paths.telegram, paths.telegramSetup),
  entry('whatsapp', 'messenger', 'greenApi', paths.whatsapp, paths.whatsappSetup),
  entry('whatsappCloud', 'messenger', 'meta', paths.whatsappCloud, paths.whatsappCloudSetup),
  ...MESSENGER_CHANNELS.map((channel) => {
    const { kind, cost } = messengerForm(channel)
    return entry(channel, kind, cost, paths.messenger(channel), paths.messengerSetup(channel))
  }),
  entry('webchat', 'custom', 'free', paths.webchat, paths.webchatSetup),
  entry('http', 'custom', 'free', paths.http, paths.httpSetup),
]

/** Channels of one kind. */
export function channelsOf(category: Category): readonly CatalogueEntry[] {
  return category === 'all' ? CATALOGUE : CATALOGUE.filter((each) => each.category === category)
}

function entry(
  channel: CatalogueEntry['channel'],
  category: CatalogueEntry['category'],
  cost: CatalogueEntry['cost'],
  list: string,
  setup: string,
): CatalogueEntry {
  return { channel, category, availability: 'available', cost, list, setup }
}
