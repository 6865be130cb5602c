// What a connection is called and where it is looked after, whatever its channel.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import { paths } from '#web/lib/paths.ts'

type Named = Pick<ChannelConnection, 'channel' | 'identifier' | 'externalAccountId'>

/**
 * As people write it: a bot with its @, a number with its plus; an instance without a phone by its id; a program by its name, a web
 * chat by its title, an account of a messenger as its provider calls it.
 */
export function connectionName({ channel, identifier, externalAccountId }: Named): string {
  const accountName = manifestOf(channel)?.accountName
  if (accountName === 'at') return `@${identifier}`
  return accountName === 'plain' || identifier === externalAccountId ? identifier : `+${identifier}`
}

/** The page of a connection; of a channel that only a newer server knows, where its page would be. */
export function connectionPath({ channel, _id }: Pick<ChannelConnection, 'channel' | '_id'>): string {
  if (manifestOf(channel)) return paths.channelConnection(channel, _id)
  return `${paths.channels}/${encodeURIComponent(channel)}/${encodeURIComponent(_id)}`
}
