// Telegram's updates, understood.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUpdate } from './telegram.parse.ts'

const from = { id: 7, is_bot: false, first_name: 'Anna', last_name: 'Petrova', username: 'anna', language_code: 'ru' }
const message = { message_id: 1, date: 1, chat: { id: 7, type: 'private' }, from, text: 'Hello' }

describe('parseUpdate', () => {
  it('reads a text of a customer', () => {
    expect(parseUpdate({ update_id: 5, message })).toEqual({
      kind: 'message',
      externalKey: '5',
      chatId: '7',
      sender: { externalId: '7', name: 'Anna Petrova', username: 'anna', language: 'ru' },
      text: 'Hello',
    })
  })

  it('takes the caption of a picture for its text', () => {
    const picture = { ...message, text: undefined, caption: 'What is this?', photo: [] }
    expect(parseUpdate({ update_id: 5, message: picture })).toMatchObject({ kind: 'message', text: 'What is this?' })
  })

  it.each([
    ['groups', { ...message, chat: { id: -7, type: 'supergroup' } }],
    ['other bots', { ...message, from: { ...from, is_bot: true } }],
    ['stickers and the like', { ...message, text: undefined, sticker: {} }],
  ])('ignores %s', (_, ignored) => {
    expect(parseUpdate({ update_id: 5, message: ignored })).toEqual({ kind: 'ignored', externalKey: '5' })
  })

  it('tells known kinds without an answer from kinds that nobody has heard of', () => {
    expect(parseUpdate({ update_id: 5, my_chat_member: {} })).toEqual({ kind: 'ignored', externalKey: '5' })
    expect(parseUpdate({ update_id: 5, telepathy: {} })).toEqual({ kind: 'unknown', externalKey: '5' })
  })

  it('gives the same garbage the same key, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        let text: string
        try {
          text = JSON.stringify(body) ?? 'null'
        } catch {
          return
        }
        const received: unknown = JSON.parse(text)
        expect(parseUpdate(received)).toEqual(parseUpdate(JSON.parse(text)))
      }),
    )
  })
})
