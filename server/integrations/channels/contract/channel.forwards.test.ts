// Messages that customers forward, as each messenger tells of them: whose words they are, and which part of a text is the customer's own.
import { describe, expect, it } from 'vitest'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { splitForward } from '#shared/messaging/forwards.ts'
import { parseNotification as parseGreenApi } from '../green-api/green-api.parse.ts'
import { parseNotification as parseInstagram } from '../instagram/instagram.parse.ts'
import { parseUpdate as parseMax } from '../max/max.parse.ts'
import { parseUpdate as parseTelegram } from '../telegram/telegram.parse.ts'
import { parseEvent as parseVk } from '../vk/vk.parse.ts'
import { parseNotification as parseCloud } from '../whatsapp-cloud/whatsapp-cloud.parse.ts'

/** Whose it was; undefined: the message is the customer's own. Then both parts of its text, and the kinds of what is attached. */
function summaryOf(inbound: Inbound) {
  if (inbound.kind !== 'message' && inbound.kind !== 'edit') return inbound.kind
  const { text, forwarded } = inbound
  const kinds = inbound.kind === 'message' ? (inbound.attachments ?? []).map(({ kind }) => kind) : []
  return { from: forwarded?.from, ...splitForward(text, forwarded), kinds }
}

const passedOn = (from: string | null, forwarded: string, kinds: string[] = []) => ({ from, own: '', forwarded, kinds })
const own = (text: string) => ({ from: undefined, own: text, forwarded: '', kinds: [] })

describe('Telegram', () => {
  const from = { id: 10, is_bot: false, first_name: 'A' }
  const parse = (more: object, kind = 'message') => {
    const message = { message_id: 2, date: 1, chat: { id: 10, type: 'private', first_name: 'A' }, from, ...more }
    return summaryOf(parseTelegram({ update_id: 2, [kind]: message }, { id: 900, username: 'parley_bot' }))
  }
  const text = 'Refund approved'
  const aliya = { id: 5, is_bot: false, first_name: 'Aliya', last_name: 'K.', username: 'aliya' }
  const shop = { id: -100, type: 'channel', title: 'Tea shop', username: 'tea' }

  it.each([
    ['a person', { type: 'user', date: 1, sender_user: { id: 5, is_bot: false, first_name: 'Aliya' } }, 'Aliya'],
    ['a person with a username', { type: 'user', date: 1, sender_user: aliya }, 'Aliya K. (@aliya)'],
    ['a hidden person', { type: 'hidden_user', date: 1, sender_user_name: 'Aliya' }, 'Aliya'],
    ['a group', { type: 'chat', date: 1, sender_chat: { ...shop, type: 'supergroup' } }, 'Tea shop'],
    ['a channel', { type: 'channel', date: 1, chat: shop, message_id: 3, author_signature: 'Al' }, 'Tea shop, Al'],
    ['what does not exist yet', { type: 'planet', date: 1 }, null],
    ['what looks otherwise', 'planet', null],
  ])('tells that it is from %s', (_, forward_origin, name) => {
    expect(parse({ text, forward_origin })).toEqual(passedOn(name, text))
  })

  it.each([
    ['a person', { forward_from: aliya, forward_date: 1 }, 'Aliya K. (@aliya)'],
    ['a hidden person', { forward_sender_name: 'Aliya', forward_date: 1 }, 'Aliya'],
    ['a channel', { forward_from_chat: shop, forward_signature: 'Al', forward_date: 1 }, 'Tea shop, Al'],
    ['an unknown author', { forward_date: 1 }, null],
  ])('in the older format is from %s', (_, fields, name) => {
    expect(parse({ text, ...fields })).toEqual(passedOn(name, text))
  })

  it('forwards captions, recordings, files and contacts too', () => {
    const forward_origin = { type: 'hidden_user', date: 1, sender_user_name: 'Aliya' }
    const document = { file_id: 'f', file_name: 'a.pdf' }
    expect(parse({ caption: 'Look', document, forward_origin })).toEqual(passedOn('Aliya', 'Look', ['document']))
    expect(parse({ voice: { file_id: 'f', duration: 1 }, forward_origin })).toEqual(passedOn('Aliya', '', ['voice']))
    const contact = { phone_number: '+7700', first_name: 'Boris' }
    expect(parse({ contact, forward_origin })).toEqual(passedOn('Aliya', '', ['contact']))
    expect(parse({ text, forward_origin }, 'edited_message')).toEqual(passedOn('Aliya', text))
  })

  it('leaves a message of the customer alone', () => {
    expect(parse({ text })).toEqual(own(text))
  })
})

describe('WhatsApp by GREEN-API', () => {
  const parse = (messageData: object) =>
    summaryOf(
      parseGreenApi(
        {
          typeWebhook: 'incomingMessageReceived',
          instanceData: { idInstance: 7103000001, wid: '77010000000@c.us', typeInstance: 'whatsapp' },
          timestamp: 1,
          idMessage: 'A1',
          senderData: { chatId: '77001234567@c.us', sender: '77001234567@c.us', senderName: 'Anna' },
          messageData,
        },
        '7103000001',
      ),
    )
  const file = { downloadUrl: 'https://a.kz/f', caption: 'Look', fileName: 'a.pdf', mimeType: 'application/pdf' }

  it.each([
    [
      'a text',
      { typeMessage: 'extendedTextMessage', extendedTextMessageData: { text: 'Hi', isForwarded: true } },
      'Hi',
    ],
    [
      'a text that went round',
      { typeMessage: 'textMessage', textMessageData: { textMessage: 'Hi', isForwarded: true, forwardingScore: 127 } },
      'Hi',
    ],
    [
      'a text with only a score',
      { typeMessage: 'extendedTextMessage', extendedTextMessageData: { text: 'Hi', forwardingScore: 2 } },
      'Hi',
    ],
    ['a file', { typeMessage: 'documentMessage', fileMessageData: { ...file, isForwarded: true } }, 'Look'],
  ])('forwards %s', (_, data, text) => {
    expect(parse(data)).toMatchObject({ from: null, own: '', forwarded: text })
  })

  it('leaves a message of the customer alone, also one that replies to a forwarded one', () => {
    const extendedTextMessageData = { text: 'Hi', isForwarded: false, forwardingScore: 0 }
    const quotedMessage = { stanzaId: 'A0', textMessage: 'No', isForwarded: true }
    expect(parse({ typeMessage: 'quotedMessage', extendedTextMessageData, quotedMessage })).toEqual(own('Hi'))
  })
})

describe('WhatsApp by the Cloud API', () => {
  const parse = (content: object) => {
    const message = {
      from: '77001234567',
      id: 'wamid.1',
      timestamp: '1',
      type: 'text',
      text: { body: 'Hi' },
      ...content,
    }
    const value = { metadata: { phone_number_id: '1' }, contacts: [{ wa_id: '77001234567' }], messages: [message] }
    const entry = [{ id: '1', changes: [{ field: 'messages', value }] }]
    return summaryOf(parseCloud({ object: 'whatsapp_business_account', entry }, '1'))
  }

  it.each([{ forwarded: true }, { frequently_forwarded: true }])('says that it is: %j', (context) => {
    expect(parse({ context })).toEqual(passedOn(null, 'Hi'))
    const image = { id: '77', mime_type: 'image/jpeg' }
    expect(parse({ type: 'image', text: undefined, image, context })).toEqual(passedOn(null, '', ['image']))
  })

  it('leaves a message of the customer alone', () => {
    expect(parse({ context: { id: 'wamid.0', forwarded: false } })).toEqual(own('Hi'))
  })
})

describe('VK', () => {
  const parse = (text: string, more: object) => {
    const message = { id: 90, date: 1, peer_id: 42, from_id: 42, text, attachments: [], fwd_messages: [], ...more }
    return summaryOf(parseVk({ type: 'message_new', event_id: '1', object: { message } }, () => false))
  }

  it('holds forwarded messages next to the words of the customer, with those that they hold and their files', () => {
    const photo = { type: 'photo', photo: { sizes: [{ width: 1, height: 1, url: 'https://a.kz/p' }] } }
    const inner = { text: 'Inner 😀', from_id: -7, attachments: [photo] }
    const fwd_messages = [{ text: 'Outer\nline', from_id: 5, date: 1, fwd_messages: [inner] }]
    const forwarded = '> Outer\n> line\n> Inner 😀'
    const expected = { from: 'vk.com/id5, vk.com/club7', forwarded, kinds: ['image'] }
    expect(parse('Look 😀', { fwd_messages })).toEqual({ own: 'Look 😀', ...expected })
    expect(parse('', { fwd_messages })).toEqual({ own: '', ...expected })
  })

  it('holds posts of walls, and what they repeat', () => {
    const wall = { text: 'Sale', owner_id: -7, from_id: -7, copy_history: [{ text: 'Old', owner_id: -8 }] }
    const expected = { from: 'vk.com/club7, vk.com/club8', own: 'How much?', forwarded: '> Sale\n> Old' }
    expect(parse('How much?', { attachments: [{ type: 'wall', wall }] })).toEqual({ ...expected, kinds: [] })
    const photo = { type: 'photo', photo: { sizes: [{ width: 1, height: 1, url: 'https://a.kz/p' }] } }
    const pictured = { ...wall, attachments: [photo] }
    expect(parse('How much?', { attachments: [{ type: 'wall', wall: pictured }] })).toEqual({
      ...expected,
      kinds: ['image'],
    })
  })
})

describe('MAX', () => {
  const parse = (text: string, link: object | null) => {
    const recipient = { chat_id: 1, chat_type: 'dialog' }
    const sender = { user_id: 1, first_name: 'Anna' }
    const message = { recipient, sender, timestamp: 1, body: { mid: 'mid.1', text }, link }
    return summaryOf(parseMax({ update_type: 'message_created', timestamp: 1, message, user_locale: 'ru' }, 'bot'))
  }
  const message = { mid: 'mid.0', text: 'The offer', attachments: [{ type: 'sticker' }] }

  it('holds the forwarded message below the words of the customer', () => {
    const sender = { user_id: 2, first_name: 'Aliya', username: 'aliya' }
    expect(parse('Look', { type: 'forward', sender, message })).toEqual({
      ...{ from: 'Aliya (@aliya)', own: 'Look', forwarded: 'The offer', kinds: ['sticker'] },
    })
    expect(parse('', { type: 'forward', message })).toEqual(passedOn(null, 'The offer', ['sticker']))
    expect(parse('Look', { type: 'reply', sender, message })).toEqual(own('Look'))
  })
})

describe('Instagram', () => {
  const parse = (message: object) => {
    const event = { sender: { id: '42' }, recipient: { id: '1' }, timestamp: 1, message: { mid: 'mid.1', ...message } }
    return summaryOf(parseInstagram({ object: 'instagram', entry: [{ id: '1', time: 1, messaging: [event] }] }, '1'))
  }
  const attached = (type: string) => ({ attachments: [{ type, payload: { url: 'https://a.kz/p' } }] })

  it.each(['share', 'ig_post', 'ig_reel', 'story_mention'])('passes on: %s', (type) => {
    expect(parse({ text: 'How much?', ...attached(type) })).toMatchObject({
      from: null,
      own: 'How much?',
      forwarded: '',
    })
  })

  it('leaves a picture of the customer, and an answer to a story, alone', () => {
    expect(parse(attached('image'))).toMatchObject({ from: undefined })
    expect(parse({ text: 'Nice', reply_to: { story: { url: 'https://a.kz/s' } } })).toMatchObject({ from: undefined })
  })
})
