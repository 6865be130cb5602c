// Who handles a conversation while its agent is silent, and what can be sent in it.
import { describe, expect, it } from 'vitest'
import { PAUSE_REASONS } from '#shared/messaging/conversations.ts'
import { assertSendable, isTakenOver } from './conversations.rules.ts'

describe('isTakenOver', () => {
  it('tells an operator in the conversation, and a customer who wants no answers, from an operator who was called', () => {
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
  it('requires text or files, and files only where the channel carries them', () => {
    const send = (channel: 'telegram' | 'http' | 'avito', text: string, types: string[]) => () =>
      assertSendable(channel, { text, files: types.map((mimeType) => ({ mimeType })) })
    expect(send('telegram', '', ['application/pdf'])).not.toThrow()
    expect(send('http', 'Hello', [])).not.toThrow()
    expect(send('telegram', '', [])).toThrow('A message needs')
    expect(send('http', 'Hello', ['image/png'])).toThrow('sends no files')
    expect(send('avito', '', ['image/png', 'image/jpeg'])).not.toThrow()
    expect(send('avito', 'Hello', ['image/png', 'application/pdf'])).toThrow('pictures')
    expect(send('avito', 'Hello', ['image/webp'])).toThrow('pictures')
  })
})
