// Tickets of shared test chats.
import { expect, it } from 'vitest'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import type { Id } from '#shared/ids.ts'
import { readShare, type Share, shareTicket } from './test-chat.links.ts'

const NOW = Date.UTC(2026, 0, 1)
const secrets = createSecrets('a secret of at least thirty-two characters')
const share: Share = {
  organizationId: 'o1' as Id<'organizations'>,
  agentId: 'a1' as Id<'agents'>,
  chats: [{ variant: 'a', conversationId: 'c1' as Id<'conversations'>, through: 7 }],
  at: NOW,
  until: NOW + 1000,
}

it('carry what is shared until they expire, and no longer', () => {
  const ticket = shareTicket(secrets, share)
  expect(readShare(secrets, ticket, NOW + 1000)).toEqual(share)
  expect(() => readShare(secrets, ticket, NOW + 1001)).toThrow('not_found')
})

it('are invalid when they are forged, of another kind, or changed', () => {
  const ticket = shareTicket(secrets, share)
  const others = createSecrets('another secret of at least thirty-two characters')
  const elsewhere = secrets.encrypt(JSON.stringify(share), 'export|o1|link')
  for (const forged of ['', 'x', shareTicket(others, share), elsewhere, `${ticket.slice(0, -2)}AA`]) {
    expect(() => readShare(secrets, forged, NOW)).toThrow('not_found')
  }
})
