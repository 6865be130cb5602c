// The channels that there are: those of each kind, and whether they can be used.
import { type ConnectedChannel, channelsWhere } from '#shared/channels/manifests.ts'

/** Kinds of channels, in the order of the tabs. */
export const CATEGORIES = ['all', 'messenger', 'social', 'custom'] as const
export type Category = (typeof CATEGORIES)[number]

/** Whether a channel can be used, as its label says. */
export type Availability = 'available' | 'beta' | 'premium' | 'comingSoon'

export type CatalogueEntry = { channel: ConnectedChannel; availability: Availability }

/** Channels of one kind. */
export function channelsOf(category: Category): readonly CatalogueEntry[] {
  const channels = channelsWhere((manifest) => category === 'all' || manifest.category === category)
  return channels.map((channel) => ({ channel, availability: 'available' }))
}
