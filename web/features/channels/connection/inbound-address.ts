// Where a program posts the messages of its customers.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { serverOrigin } from '#web/lib/server/server-address.ts'

/** On the address by which this page was opened. */
export function inboundAddress({ _id }: Pick<ChannelConnection, '_id'>): string {
  return `${serverOrigin}/api/channels/http/${_id}/messages`
}
