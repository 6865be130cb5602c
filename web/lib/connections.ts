// What a connection is called and where it is looked after, whatever its channel.
import type { ChannelConnection } from '#shared/channels.ts'
import { paths } from './paths.ts'

type Named = Pick<ChannelConnection, 'channel' | 'identifier' | 'externalAccountId'>

/** As people write it: a bot with its @, a number with its plus; an instance without a phone by its id. */
export function connectionName({ channel, identifier, externalAccountId }: Named): string {
  if (channel === 'telegram') return `@${identifier}`
  return identifier === externalAccountId ? identifier : `+${identifier}`
}

/** The page of a connection. */
export function connectionPath({ channel, _id }: Pick<ChannelConnection, 'channel' | '_id'>): string {
  return channel === 'telegram' ? paths.telegramConnection(_id) : paths.whatsappConnection(_id)
}
