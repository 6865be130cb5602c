// Telegram's updates, understood.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUpdate } from './telegram.parse.ts'

const bot = { id: 900, username: 'parley_bot' }
const parsed = (body: unknown) => parseUpdate(body, bot)

const from = { id: 7, is_bot: false, first_name: 'Anna', last_name: 'Petrova', username: 'anna', language_code: 'ru' }
const message = { message_id: 1, date: 1, chat: { id: 7, type: 'private' }, from, text: 'Hello' }

describe('a group that becomes a supergroup', () => {
  it.each([
    ['by its number of before', { chat: { id: -42, type: 'group' }, migrate_to_chat_id: -10042 }],
    ['by the one that it has since', { chat: { id: -10042, type: 'supergroup' }, migrate_from_chat_id: -42 }],
  ])('says %s what it is called', (_, fields) => {
    const update = { update_id: 7, message: { message_id: 1, from: { id: 9, first_name: 'Anna' }, ...fields } }
    expect(parseUpdate(update, { id: 1, username: null })).toEqual({
      ...{ kind: 'chatMoved', externalKey: '7' },
      ...{ chatId: '-42', toChatId: '-10042' },
    })
  })
})

describe('parseUpdate', () => {
  it('reads a text of a customer', () => {
    expect(parsed({ update_id: 5, message })).toEqual({
      kind: 'message',
      externalKey: '5',
      chatId: '7',
      sender: { externalId: '7', name: 'Anna Petrova', username: 'anna', language: 'ru' },
      text: 'Hello',
      externalMessageId: '1',
    })
  })

  it('takes the caption of a picture for its text', () => {
    const picture = { ...message, text: undefined, caption: 'What is this?', photo: [] }
    expect(parsed({ update_id: 5, message: picture })).toMatchObject({ kind: 'message', text: 'What is this?' })
  })

  it.each([
    ['messages in groups', { ...message, chat: { id: -7, type: 'supergroup' } }],
    ['other bots', { ...message, from: { ...from, is_bot: true } }],
    ['what says nothing', { ...message, text: undefined, delete_chat_photo: true }],
    ['a topic that was closed', { ...message, text: undefined, forum_topic_closed: {} }],
    ['a message of fields without content', { ...message, text: undefined, effect_id: '5', via_bot: {} }],
  ])('ignores %s', (_, ignored) => {
    expect(parsed({ update_id: 5, message: ignored })).toEqual({ kind: 'ignored', externalKey: '5' })
  })

  it('takes what a mini app sends for the words of the customer, below those of its button', () => {
    const submitted = { ...message, text: undefined, web_app_data: { button_text: 'Book', data: '{"table":4}' } }
    expect(parsed({ update_id: 5, message: submitted })).toMatchObject({ kind: 'message', text: 'Book\n{"table":4}' })
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
      { kind: 'location', text: 'Cafe, Abay 1, 1, 2' },
    ],
    ['a contact', { contact: { phone_number: '+7', first_name: 'Ann' } }, { kind: 'contact', text: 'Ann, +7' }],
    [
      'people who were picked',
      { users_shared: { request_id: 1, users: [{ user_id: 5, first_name: 'Olga', username: 'olga' }] } },
      { kind: 'contact', text: 'Olga, @olga, 5' },
    ],
    [
      'a chat that was picked',
      { chat_shared: { request_id: 1, chat_id: -5, title: 'Staff' } },
      { kind: 'contact', text: 'Staff, -5' },
    ],
    [
      'a payment',
      { successful_payment: { currency: 'KZT', total_amount: 1_500_000, invoice_payload: 'order' } },
      { kind: 'other', name: 'successful_payment', text: '15000.00 KZT' },
    ],
    [
      'a payment in a currency without a smaller unit',
      { successful_payment: { currency: 'XTR', total_amount: 50, invoice_payload: 'order' } },
      { kind: 'other', name: 'successful_payment', text: '50 XTR' },
    ],
    ...[
      ['HUF', '1500.00 HUF'],
      ['IDR', '1500.00 IDR'],
      ['JPY', '150000 JPY'],
      ['BHD', '150.000 BHD'],
    ].map(([currency, text]): [string, object, object] => [
      `a payment in ${currency}, whose unit is not as people write it`,
      { successful_payment: { currency, total_amount: 150_000, invoice_payload: 'order' } },
      { kind: 'other', name: 'successful_payment', text },
    ]),
    ['a document of identity by its name alone', { passport_data: {} }, { kind: 'other', name: 'passport_data' }],
    ['what Telegram adds one day by its name alone', { hologram: {} }, { kind: 'other', name: 'hologram' }],
    ['a poll of another shape by its name alone', { poll: {} }, { kind: 'other', name: 'poll' }],
    [
      'a poll',
      { poll: { id: '1', question: 'When?', options: [{ text: 'Mon' }, { text: 'Tue' }], type: 'regular' } },
      { kind: 'other', name: 'poll', text: 'When?\n– Mon\n– Tue' },
    ],
    [
      'a checklist',
      { checklist: { title: 'To buy', tasks: [{ id: 1, text: 'Tea' }] } },
      { kind: 'other', name: 'checklist', text: 'To buy\n– Tea' },
    ],
    [
      'a place of a name with where it is',
      {
        venue: { location: { latitude: 43.2, longitude: 76.9 }, title: 'Cafe', address: '' },
        location: { latitude: 43.2, longitude: 76.9 },
      },
      { kind: 'location', text: 'Cafe, 43.2, 76.9' },
    ],
    [
      'a voice message of a size and a length that cannot be',
      { voice: { ...file, file_size: 1.5, duration: 1e300 } },
      { kind: 'voice', fileId: 'f1', sizeBytes: null, durationSeconds: null },
    ],
    ['a voice message of another shape by its name alone', { voice: { id: 1 } }, { kind: 'other', name: 'voice' }],
  ])('reads %s', (_, content, expected) => {
    const attached = parsed({ update_id: 5, message: { ...message, text: undefined, ...content } })
    expect(attached).toMatchObject({ kind: 'message', text: '', attachments: [expected] })
  })

  it('says that it replies to a story', () => {
    const reply = { ...message, text: 'How much?', reply_to_story: { chat: { id: 9, type: 'private' }, id: 3 } }
    expect(parsed({ update_id: 5, message: reply })).toMatchObject({
      text: 'How much?',
      attachments: [{ kind: 'other', name: 'story' }],
    })
  })

  it('distinguishes known kinds without an answer from unknown kinds', () => {
    expect(parsed({ update_id: 5, my_chat_member: {} })).toEqual({ kind: 'ignored', externalKey: '5' })
    expect(parsed({ update_id: 5, telepathy: {} })).toEqual({ kind: 'unknown', externalKey: '5' })
  })

  it('reads an edit of a message, and none of a live location', () => {
    const edited_message = { ...message, text: 'Bye', edit_date: 2 }
    expect(parsed({ update_id: 6, edited_message })).toEqual({
      kind: 'edit',
      externalKey: '6',
      chatId: '7',
      externalMessageId: '1',
      text: 'Bye',
      editedAt: 2000,
    })
    const moved = { ...message, text: undefined, location: { latitude: 1, longitude: 2 } }
    expect(parsed({ update_id: 6, edited_message: moved })).toMatchObject({ kind: 'ignored' })
  })

  it('reads what is replied to: the chosen words of it, or its beginning', () => {
    const reply_to_message = { message_id: 3, text: 'x'.repeat(400) }
    const reply = { ...message, reply_to_message }
    expect(parsed({ update_id: 5, message: reply })).toMatchObject({ quoted: `${'x'.repeat(300)}…`, repliesTo: '3' })
    expect(parsed({ update_id: 5, message: { ...reply, quote: { text: 'chosen' } } })).toMatchObject({
      quoted: 'chosen',
    })
    const picture = { ...message, reply_to_message: { message_id: 3, caption: 'Red kettle' } }
    expect(parsed({ update_id: 5, message: picture })).toMatchObject({ quoted: 'Red kettle' })
    expect(parsed({ update_id: 5, message: { ...message, reply_to_message: 'odd' } })).not.toHaveProperty('quoted')
  })

  it('takes a picture of an album, and a text as long as one can be, for a piece of more', () => {
    expect(parsed({ update_id: 5, message: { ...message, media_group_id: 'a' } })).toMatchObject({ isPiece: true })
    expect(parsed({ update_id: 5, message: { ...message, text: 'x'.repeat(4096) } })).toMatchObject({ isPiece: true })
  })

  it('takes a press of a button for its words, once for each button', () => {
    const keyboard = [[{ text: 'Yes, please', callback_data: '0' }], [{ text: 'No', callback_data: '1' }]]
    const under = { message_id: 9, chat: message.chat, reply_markup: { inline_keyboard: keyboard } }
    const tap = (id: string, update_id: number) => ({
      update_id,
      callback_query: { id, from, data: '0', message: under },
    })
    const expected = { kind: 'message', externalKey: 'tap:7:9:0', chatId: '7', text: 'Yes, please' }
    expect(parsed(tap('a', 5))).toMatchObject({ ...expected, pressed: { externalMessageId: '9', answerId: 'a' } })
    expect(parsed(tap('b', 6))).toMatchObject({ ...expected, pressed: { externalMessageId: '9', answerId: 'b' } })
  })

  it('tells of a press under a question for a rating, each of which counts, and takes nothing else for one', () => {
    const { from } = message
    const ratingId = 'a0'.repeat(16)
    const tap = (id: string, data: string) =>
      parsed({ update_id: 5, callback_query: { id, from, data, message: { message_id: 9, chat: message.chat } } })
    const expected = { kind: 'rating', chatId: '7', sender: { externalId: String(from.id) }, ratingId, score: 4 }
    const pressed = { externalMessageId: '9', answerId: 'a' }
    expect(tap('a', `rating:${ratingId}:4`)).toMatchObject({ ...expected, externalKey: 'rating:a', pressed })
    expect(tap('b', `rating:${ratingId}:4`)).toMatchObject({ ...expected, externalKey: 'rating:b' })
    for (const data of ['4', `rating:${ratingId}:6`, 'rating:x:4', `rating:${ratingId}:44`]) {
      expect(tap('a', data)).toMatchObject({ kind: 'message', text: data })
    }
  })
})

describe('parseUpdate in a group', () => {
  const group = { ...message, chat: { id: -100, type: 'supergroup', title: 'Neighbours' } }
  const inGroup = (more: object) => parsed({ update_id: 5, message: { ...group, ...more } })
  const mention = (text: string) => {
    const [name = '', { index = 0 } = {}] = [/@\w+/.exec(text)?.[0], /@\w+/.exec(text) ?? undefined]
    return { text, entities: [{ type: 'mention', offset: index, length: name.length }] }
  }

  it.each([
    ['its name', mention('@Parley_bot, when?'), 'when?'],
    ['its name in the middle', mention('Ask @parley_bot when'), 'Ask  when'],
    ['its name alone', mention('@parley_bot'), '@parley_bot'],
    [
      'an answer to it',
      { text: 'And then?', reply_to_message: { message_id: 1, from: { id: 900 }, text: 'Hi' } },
      'And then?',
    ],
    ['a command', { text: '/help' }, '/help'],
    ['a command with its name', { text: '/help@parley_bot now' }, '/help@parley_bot now'],
  ])('hears %s', (_, content, text) => {
    const sender = { externalId: '-100', name: 'Neighbours', username: null, language: 'ru' }
    expect(inGroup(content)).toMatchObject({ kind: 'message', chatId: '-100', sender, speaker: 'Anna Petrova', text })
  })

  it.each([
    ['talk among people', { text: 'When is it?' }],
    ['the name of another bot', mention('@parley_bot2 when?')],
    ['a name that is only typed', { text: 'mail@parley_bot' }],
    ['an answer to another member', { text: 'Yes', reply_to_message: { message_id: 1, from: { id: 5 }, text: 'Hi' } }],
    ['a command for another bot', { text: '/help@other_bot' }],
    ['posts of a channel', { text: '/help', chat: { id: -5, type: 'channel' } }],
  ])('does not listen to %s', (_, content) => {
    expect(inGroup(content)).toEqual({ kind: 'ignored', externalKey: '5' })
  })

  it.each([
    ['anonymous administrators', { id: -100, type: 'supergroup', title: 'Neighbours' }, undefined, 'Neighbours'],
    ['those with a title', { id: -100, type: 'supergroup', title: 'Neighbours' }, 'Head', 'Head'],
    ['channels', { id: -200, type: 'channel', title: 'Our street' }, undefined, 'Our street'],
  ])('hears %s, for whom Telegram names a bot', (_, sender_chat, author_signature, speaker) => {
    const anonymous = { from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' }, sender_chat, author_signature }
    const heard = { kind: 'message', sender: { externalId: '-100', name: 'Neighbours' }, speaker, text: 'when?' }
    expect(inGroup({ ...anonymous, ...mention('@Parley_bot, when?') })).toMatchObject(heard)
    expect(inGroup({ ...anonymous, text: 'among people' })).toMatchObject({ kind: 'ignored' })
    const edited = { ...group, ...anonymous, ...mention('@Parley_bot, where?') }
    expect(parsed({ update_id: 5, edited_message: edited })).toMatchObject({ kind: 'edit', text: 'where?' })
  })

  it('does not listen to other bots, though they name it', () => {
    const bot = { from: { id: 5, is_bot: true, first_name: 'Other' }, ...mention('@Parley_bot, when?') }
    expect(inGroup(bot)).toEqual({ kind: 'ignored', externalKey: '5' })
    expect(parsed({ update_id: 5, edited_message: { ...group, ...bot } })).toMatchObject({ kind: 'ignored' })
  })

  it('keeps each topic apart, and takes its opening for no reply', () => {
    const inTopic = {
      message_thread_id: 4,
      is_topic_message: true,
      reply_to_message: { message_id: 4, from: { id: 900 } },
    }
    expect(inGroup({ ...inTopic, text: '/help' })).toMatchObject({ chatId: '-100/4' })
    expect(inGroup({ ...inTopic, text: 'among people' })).toMatchObject({ kind: 'ignored' })
    expect(inGroup({ text: '/help', message_thread_id: 4 })).toMatchObject({ chatId: '-100' })
  })
})

describe('parseUpdate for a business account', () => {
  const business = { ...message, business_connection_id: 'b-1' }
  const inBusiness = (more: object = {}) => parsed({ update_id: 5, business_message: { ...business, ...more } })
  const owner = { id: 50, first_name: 'Owner' }

  it('reads what a customer writes to it', () => {
    expect(inBusiness()).toMatchObject({ kind: 'message', chatId: '7@b-1', text: 'Hello', sender: { externalId: '7' } })
  })

  it('takes what its owner writes for the answer of a person', () => {
    const expected = { kind: 'humanReply', externalKey: '5', chatId: '7@b-1', externalMessageId: '1', text: 'Hello' }
    expect(inBusiness({ from: owner })).toEqual(expected)
    expect(inBusiness({ from: owner, text: undefined, photo: [] })).toMatchObject({ kind: 'humanReply', text: '📎' })
  })

  it.each([
    ['what we have written ourselves', { from: owner, sender_business_bot: { id: 900 } }],
    ['what the account says by itself', { from: owner, is_from_offline: true }],
  ])('ignores %s', (_, more) => {
    expect(inBusiness(more)).toEqual({ kind: 'ignored', externalKey: '5' })
  })

  it('reads that its owner has connected the bot, has taken it off, or does not let it answer', () => {
    const connected = { id: 'b-1', user: { ...owner, is_bot: false }, user_chat_id: 50, date: 7, is_enabled: true }
    const connection = (more: object) => parsed({ update_id: 5, business_connection: { ...connected, ...more } })
    const business = { linkId: 'b-1', ownerId: '50', ownerName: 'Owner', isOn: true, mayReply: true, since: 7000 }
    expect(connection({ rights: { can_reply: true } })).toEqual({ kind: 'business', externalKey: '5', business })
    expect(connection({ can_reply: true })).toMatchObject({ business })
    expect(connection({ rights: {} })).toMatchObject({ business: { ...business, mayReply: false } })
    expect(connection({ is_enabled: false })).toMatchObject({ business: { isOn: false, mayReply: false } })
  })

  it('reads changes of the customer, and none of the owner', () => {
    const edited = (more: object) => parsed({ update_id: 5, edited_business_message: { ...business, ...more } })
    expect(edited({ text: 'Bye' })).toMatchObject({ kind: 'edit', chatId: '7@b-1', text: 'Bye' })
    expect(edited({ from: owner })).toMatchObject({ kind: 'ignored' })
  })
})

describe('parseUpdate', () => {
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
        expect(parsed(received)).toEqual(parsed(JSON.parse(text)))
      }),
    )
  })
})
