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
    ['what says nothing', { ...message, text: undefined, delete_chat_photo: true }],
  ])('ignores %s', (_, ignored) => {
    expect(parseUpdate({ update_id: 5, message: ignored })).toEqual({ kind: 'ignored', externalKey: '5' })
  })

  const file = { file_id: 'f1', file_size: 10, duration: 3, mime_type: 'audio/ogg' }
  const sizes = [
    { file_id: 'small', width: 90, height: 60 },
    { file_id: 'large', width: 900, height: 600, file_size: 5000 },
  ]
  it.each([
    ['a voice message', { voice: file }, { kind: 'voice', fileId: 'f1', durationSeconds: 3, mimeType: 'audio/ogg' }],
    ['a recording', { audio: { ...file, title: 'Song' } }, { kind: 'audio', name: 'Song' }],
    ['the largest size of a photo', { photo: sizes }, { kind: 'image', fileId: 'large', sizeBytes: 5000 }],
    ['a round video', { video_note: { file_id: 'f2', duration: 5 } }, { kind: 'video_note', mimeType: 'video/mp4' }],
    ['a GIF', { animation: file, document: file }, { kind: 'video' }],
    ['a file', { document: { file_id: 'f3', file_name: 'prices.pdf' } }, { kind: 'document', name: 'prices.pdf' }],
    ['a picture sent as a file', { document: { file_id: 'f4', mime_type: 'image/png' } }, { kind: 'image' }],
    ['a sticker by its emoji', { sticker: { emoji: '😀' } }, { kind: 'sticker', text: '😀', fileId: null }],
    ['a place', { location: { latitude: 43.2, longitude: 76.9 } }, { kind: 'location', text: '43.2, 76.9' }],
    [
      'a place with a name',
      { venue: { title: 'Cafe', address: 'Abay 1' }, location: { latitude: 1, longitude: 2 } },
      { kind: 'location', text: 'Cafe, Abay 1' },
    ],
    ['a contact', { contact: { phone_number: '+7', first_name: 'Ann' } }, { kind: 'contact', text: 'Ann, +7' }],
    ['a poll by its name alone', { poll: {} }, { kind: 'other', name: 'poll' }],
    ['a voice message of another shape by its name alone', { voice: { id: 1 } }, { kind: 'other', name: 'voice' }],
  ])('reads %s', (_, content, expected) => {
    const parsed = parseUpdate({ update_id: 5, message: { ...message, text: undefined, ...content } })
    expect(parsed).toMatchObject({ kind: 'message', text: '', attachments: [expected] })
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
