// What a connection is called, and where it leads.
import { expect, it } from 'vitest'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { connectionName, connectionPath } from './connections.ts'

const ID = 'a'.repeat(32) as ChannelConnection['_id']

it.each([
  ['telegram', 'pine_shore_bot', '7000001', '@pine_shore_bot', `/channels/telegram/${ID}`],
  ['whatsapp', '77012345678', '7103000001', '+77012345678', `/channels/whatsapp/${ID}`],
  ['whatsapp', '7103000001', '7103000001', '7103000001', `/channels/whatsapp/${ID}`],
  ['http', 'Shop app', 'account1', 'Shop app', `/channels/http/${ID}`],
  ['webchat', 'Pine & Shore', 'AAAAAAAAAAAAAAAAAAAAAA', 'Pine & Shore', `/channels/webchat/${ID}`],
] as const)('on %s %s of the account %s is called %s', (channel, identifier, externalAccountId, name, path) => {
  expect(connectionName({ channel, identifier, externalAccountId })).toBe(name)
  expect(connectionPath({ channel, _id: ID })).toBe(path)
})
