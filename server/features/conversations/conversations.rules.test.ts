// Who has a conversation while its agent is silent, and what can be sent in it.
import { describe, expect, it } from 'vitest'
import { PAUSE_REASONS } from '#shared/conversations.ts'
import { assertSendable, isTakenOver } from './conversations.rules.ts'

describe('isTakenOver', () => {
  it('knows a person in the conversation, and a customer who wants no answers, from a person who was called', () => {
    expect(PAUSE_REASONS.filter(isTakenOver)).toEqual([
      'operator',
      'operator_reply',
      'operator_elsewhere',
      'operator_phrase',
      'customer_stop',
    ])
  })
})

describe('assertSendable', () => {
  it('wants words or files, and files only where the channel carries them', () => {
    const send = (channel: 'telegram' | 'http', text: string, files: number) => () =>
      assertSendable(channel, { text, files })
    expect(send('telegram', '', 1)).not.toThrow()
    expect(send('http', 'Hello', 0)).not.toThrow()
    expect(send('telegram', '', 0)).toThrow('A message needs')
    expect(send('http', 'Hello', 1)).toThrow('sends no files')
  })
})
