// What a connection is called and where it is looked after, whatever its channel.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { isMessenger } from '#shared/channels/messengers.ts'
import { paths } from '#web/lib/paths.ts'

const PAGES = {
  telegram: paths.telegramConnection,
  whatsapp: paths.whatsappConnection,
  whatsappCloud: paths.whatsappCloudConnection,
  http: paths.httpConnection,
  webchat: paths.webchatConnection,
}

type Named = Pick<ChannelConnection, 'channel' | 'identifier' | 'externalAccountId'>

/**
 * As people write it: a bot with its @, a number with its plus; an instance without a phone by its id; a program by its name, a web
 * chat by its title, an account of a messenger as its provider calls it.
 */
export function connectionName({ channel, identifier, externalAccountId }: Named): string {
  if (channel === 'telegram') return `@${identifier}`
  if (channel === 'http' || channel === 'webchat' || isMessenger(channel)) return identifier
  return identifier === externalAccountId ? identifier : `+${identifier}`
}

/** The page of a connection; of a channel that only a newer server knows, where its page would be. */
export function connectionPath({ channel, _id }: Pick<ChannelConnection, 'channel' | '_id'>): string {
  if (isMessenger(channel)) return paths.messengerConnection(channel, _id)
  return PAGES[channel]?.(_id) ?? `${paths.channels}/${encodeURIComponent(channel)}/${encodeURIComponent(_id)}`
}
