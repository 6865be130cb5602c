// Chats, topics and business chats in one word, there and back.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressOf, chatOf } from './telegram.address.ts'

it('a chat comes back from its word as it was', () => {
  const chat = fc.record(
    {
      chat_id: fc.maxSafeInteger(),
      message_thread_id: fc.nat(),
      business_connection_id: fc.stringMatching(/^[\w-]+$/),
    },
    { requiredKeys: ['chat_id'] },
  )
  fc.assert(fc.property(chat, (given) => void expect({ ...chatOf(addressOf(given)) }).toEqual({ ...given })))
})

it.each(['', 'nowhere', '4/x', '@b', '77001234567@c.us'])('%j is no chat', (address) => {
  expect(() => chatOf(address)).toThrow('no address')
})
