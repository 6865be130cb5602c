// Updates of MAX as its documentation shows them → Inbound.
import { describe, expect, it } from 'vitest'
import { PROBE_TYPE, parseUpdate } from './max.parse.ts'

const anna = {
  user_id: 123456789,
  first_name: 'Anna',
  last_name: 'K.',
  is_bot: false,
  last_activity_time: 1,
  name: 'A',
}
const bot = { user_id: 900000001, first_name: 'Coffee', username: 'coffee_bot', is_bot: true, last_activity_time: 1 }
const dialog = { chat_id: 182182182, chat_type: 'dialog', user_id: 900000001 }
const group = { chat_id: -70801090403050, chat_type: 'chat' }

function created(body: object, more: object = {}) {
  return {
    update_type: 'message_created',
    timestamp: 1775025604499,
    message: {
      recipient: dialog,
      timestamp: 1775053255737,
      body: { mid: 'mid.1', seq: 1, text: '', ...body },
      sender: anna,
      ...more,
    },
    user_locale: 'ru',
  }
}
const parse = (given: unknown) => parseUpdate(given, 'coffee_bot')

describe('a message', () => {
  it('has its author, chat, time and language', () => {
    expect(parse(created({ text: ' Hello ' }))).toEqual({
      kind: 'message',
      externalKey: 'message:mid.1',
      chatId: '182182182',
      sender: { externalId: '123456789', name: 'Anna K.', username: null, language: 'ru' },
      text: 'Hello',
      externalMessageId: 'mid.1',
      sentAt: 1775053255737,
    })
  })

  it('that replies says to what; one that forwards says what', () => {
    const link = { type: 'reply', sender: bot, message: { mid: 'mid.0', text: 'We open at nine.' } }
    expect(parse(created({ text: 'And on Sunday?' }, { link }))).toMatchObject({
      text: 'And on Sunday?',
      repliesTo: 'mid.0',
      quoted: 'We open at nine.',
    })
    const attachments = [{ type: 'file', payload: { url: 'https://fu.oneme.ru/1' }, filename: 'a.pdf', size: 3 }]
    const forwarded = { type: 'forward', sender: anna, message: { mid: 'mid.0', text: 'The offer', attachments } }
    const forward = parse(created({ text: '' }, { link: forwarded }))
    expect(forward).toMatchObject({ text: 'The offer', attachments: [{ kind: 'document', name: 'a.pdf' }] })
    expect(forward).not.toHaveProperty('repliesTo')
  })

  it('that is as long as one can be waits for the rest', () => {
    expect(parse(created({ text: 'x'.repeat(4000) }))).toMatchObject({ isPiece: true })
  })

  it.each([
    ['a bot', created({ text: 'Hi' }, { sender: bot })],
    ['a channel', created({ text: 'Hi' }, { recipient: { ...group, chat_type: 'channel' } })],
    ['no sender', created({ text: 'Hi' }, { sender: null })],
  ])('of %s is nothing to answer', (_, given) => {
    expect(parse(given).kind).toBe('ignored')
  })

  it('without its content is kept for a person to look at', () => {
    expect(parse({ timestamp: 1786966682795, user_locale: 'ru', update_type: 'message_created' }).kind).toBe('unknown')
  })
})

describe('in a group', () => {
  const parsed = (text: string, more: object = {}) => parse(created({ text }, { recipient: group, ...more }))

  it('only what is meant for the bot is a message, of the group, for which a person speaks', () => {
    expect(parsed('Shall we have lunch?').kind).toBe('ignored')
    expect(parsed('@coffee_bot_2 hello').kind).toBe('ignored')
    expect(parsed('@Coffee_Bot, when do you open?')).toMatchObject({
      kind: 'message',
      chatId: '-70801090403050',
      sender: { externalId: '-70801090403050' },
      speaker: 'Anna K.',
      text: 'when do you open?',
    })
    const link = { type: 'reply', sender: bot, message: { mid: 'mid.0', text: 'At nine.' } }
    expect(parsed('And on Sunday?', { link })).toMatchObject({ kind: 'message', text: 'And on Sunday?' })
    expect(parsed('Yes', { link: { ...link, sender: anna } }).kind).toBe('ignored')
  })
})

describe('what is attached', () => {
  const attached = (...attachments: object[]) => {
    const update = parse(created({ text: '', attachments }))
    return update.kind === 'message' ? update.attachments : update
  }

  it('is read by its kind', () => {
    const url = 'https://i.oneme.ru/i?r=1'
    expect(
      attached(
        { type: 'image', payload: { photo_id: 1, token: 't', url } },
        { type: 'video', payload: { token: 'v1', url }, duration: 12 },
        { type: 'audio', payload: { token: 't', url } },
        { type: 'file', payload: { token: 't', url }, filename: 'scan.JPG', size: 9 },
        { type: 'sticker', payload: { url, code: '1' }, width: 1, height: 1 },
        { type: 'location', latitude: 43.25, longitude: 76.9 },
        {
          type: 'contact',
          payload: {
            vcf_info: 'BEGIN:VCARD\r\nTEL;TYPE=cell:79990001122\r\nTEL:+7 495 000 11 22\r\nFN:Boris D.\r\nEND:VCARD',
            max_info: anna,
          },
        },
      ),
    ).toMatchObject([
      { kind: 'image', fileId: url },
      { kind: 'video', fileId: 'video:v1', durationSeconds: 12 },
      { kind: 'voice', fileId: url },
      { kind: 'image', fileId: url, name: 'scan.JPG', sizeBytes: 9 },
      { kind: 'sticker' },
      { kind: 'location', text: '43.25, 76.9' },
      { kind: 'contact', text: 'Boris D., 79990001122, +7 495 000 11 22' },
    ])
  })

  it('and unknown does not lose the message, and what only repeats the text is left out', () => {
    expect(attached({ type: 'hologram', payload: {} })).toMatchObject([{ kind: 'other', name: 'hologram' }])
    const preview = { type: 'share', payload: { url: 'https://a.kz' }, title: 'A' }
    expect(parse(created({ text: 'https://a.kz', attachments: [preview] }))).not.toHaveProperty('attachments')
    expect(attached(preview)).toMatchObject([{ kind: 'other', name: 'https://a.kz' }])
  })
})

describe('other updates', () => {
  const pressed = (payload: string | null, callback_id = 'press1', more: object = {}) => ({
    update_type: 'message_callback',
    timestamp: 2,
    callback: { timestamp: 2, callback_id, payload, user: anna },
    message: {
      recipient: { ...dialog, user_id: 123456789 },
      timestamp: 1,
      body: { mid: 'mid.2', text: '?' },
      sender: bot,
    },
    ...more,
  })

  it('an edit tells all of the text, each under a key of its own', () => {
    const edit = (timestamp: number) => ({ ...created({ text: 'Hello!' }), update_type: 'message_edited', timestamp })
    const edited = parse(edit(1))
    const place = { chatId: '182182182', externalMessageId: 'mid.1', text: 'Hello!' }
    expect(edited).toMatchObject({ kind: 'edit', ...place, editedAt: 1 })
    expect(parse(edit(2)).externalKey).not.toBe(edited.externalKey)
  })

  it('a press says what its button carries, once, however often it is pressed', () => {
    const press = parse(pressed('Yes'))
    expect(press).toMatchObject({
      kind: 'message',
      chatId: '182182182',
      text: 'Yes',
      sender: { externalId: '123456789' },
      pressed: { externalMessageId: 'mid.2', answerId: 'press1' },
    })
    expect(parse(pressed('Yes', 'press2')).externalKey).toBe(press.externalKey)
  })

  it('a press under a question for a rating is a score', () => {
    const payload = `rating:${'0a'.repeat(16)}:4`
    expect(parse(pressed(payload))).toMatchObject({ kind: 'rating', ratingId: '0a'.repeat(16), score: 4 })
    expect(parse(pressed(payload, 'press2')).externalKey).not.toBe(parse(pressed(payload)).externalKey)
  })

  it('a press whose message is gone cannot be answered', () => {
    expect(parse(pressed('Yes', 'press1', { message: null })).kind).toBe('ignored')
  })

  it('of "Start" is a greeting, with what the link carried', () => {
    const started = { update_type: 'bot_started', timestamp: 5, chat_id: 182182182, user: anna, user_locale: 'ru' }
    const greeting = {
      ...{ kind: 'message', externalKey: 'start:182182182:5', chatId: '182182182', sentAt: 5 },
      sender: { externalId: '123456789', name: 'Anna K.', username: null, language: 'ru' },
    }
    expect(parse(started)).toEqual({ ...greeting, text: '/start' })
    expect(parse({ ...started, payload: 'sale' })).toEqual({ ...greeting, text: '/start sale' })
  })

  it.each(['bot_stopped', 'message_removed', 'dialog_removed', PROBE_TYPE])('%s means nothing', (type) => {
    expect(parse({ update_type: type, timestamp: 1, nonce: 7, chat_id: 1, user: anna }).kind).toBe('ignored')
  })
})
