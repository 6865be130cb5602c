// Where a program posts the messages of its customers.
import type { ChannelConnection } from '#shared/channels.ts'

/** On the address by which this page was opened. */
export function inboundAddress({ _id }: Pick<ChannelConnection, '_id'>): string {
  return `${window.location.origin}/api/channels/http/${_id}/messages`
}
