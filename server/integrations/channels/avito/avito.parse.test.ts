// Notifications of Avito, as they are documented and seen, and what is made of them.
import { describe, expect, it } from 'vitest'
import { parseNotification } from './avito.parse.ts'

const ACCOUNT = 369_223_108
const ANNA = 459_734_245

/** A notification of a message. `change`: of the message itself. */
function notificationOf(change: object = {}) {
  const value = {
    ...{
      id: 'c1348bb968650a00e693d87e0e5e7e92',
      chat_id: 'u2i-YvRiaEtf8Qn~N4sh3mMKkA',
      user_id: ACCOUNT,
      author_id: ANNA,
    },
    ...{
      created: 1_706_865_998,
      type: 'text',
      chat_type: 'u2i',
      content: { text: 'Is it there?' },
      item_id: 4_098_549_657,
    },
    published_at: '2024-02-02T09:26:38Z',
    ...change,
  }
  return { id: 'd8e51513', version: 'v3.0.0', timestamp: 1_706_865_998, payload: { type: 'message', value } }
}
const parsed = (change?: object) => parseNotification(notificationOf(change))

describe('a message', () => {
  it('has its author as the sender, under the id of its chat', () => {
    expect(parsed()).toEqual({
      ...{ kind: 'message', externalKey: 'in:c1348bb968650a00e693d87e0e5e7e92', text: 'Is it there?' },
      ...{ externalMessageId: 'c1348bb968650a00e693d87e0e5e7e92', chatId: 'u2i-YvRiaEtf8Qn~N4sh3mMKkA' },
      sender: { externalId: '459734245', name: '459734245', username: null, language: null },
      sentAt: 1_706_865_998_000,
    })
  })

  it.each([
    ['a link', 'link', { link: { text: 'look https://habr.com', url: 'https://habr.com' } }, 'look https://habr.com'],
    [
      'an ad',
      'item',
      { item: { title: 'Table', price_string: '900 ₽', item_url: 'https://avito.ru/1' } },
      'Table · 900 ₽ · https://avito.ru/1',
    ],
    ['an ad without a price', 'item', { item: { title: 'Table', price_string: null } }, 'Table'],
  ])('that is %s says it in words', (_, type, content, text) => {
    const message = parsed({ type, content })
    expect(message).toMatchObject({ kind: 'message', text })
    expect(message).not.toHaveProperty('attachments')
  })

  it.each([
    [
      'image',
      { image: { sizes: { '140x105': 'https://img/small.jpg', '1280x960': 'https://img/large.jpg' } } },
      { kind: 'image', fileId: 'https://img/large.jpg' },
    ],
    ['voice', { voice: { voice_id: 'abc' } }, { kind: 'voice', fileId: 'voice:abc', mimeType: 'audio/mp4' }],
    ['location', { location: { lat: 55.6, lon: 37.6, title: 'Moscow' } }, { kind: 'location', text: 'Moscow' }],
    ['location', { location: { lat: 55.6, lon: 37.6 } }, { kind: 'location', text: '55.6, 37.6' }],
    ['video', {}, { kind: 'other', name: 'video', fileId: null }],
    ['file', null, { kind: 'other', name: 'file', fileId: null }],
    ['image', { image: { sizes: 'none' } }, { kind: 'other', name: 'image', fileId: null }],
    ['postcard', {}, { kind: 'other', name: 'postcard', fileId: null }],
  ])('of the kind %s has something attached', (type, content, attachment) => {
    expect(parsed({ type, content })).toMatchObject({ kind: 'message', text: '', attachments: [attachment] })
  })

  it.each([
    ['of a bot of Avito', { type: 'system', author_id: 0, content: { text: 'An offer', flow_id: 'x' } }],
    ['of a bot of Avito under the name of the customer', { type: 'system', content: { text: 'An offer' } }],
    ['of a bot of Avito under our own name', { type: 'system', author_id: ACCOUNT }],
    ['of Avito itself', { chat_type: 'a2u' }],
    ['to Avito itself', { chat_type: 'a2u', author_id: ACCOUNT }],
    ['without an author', { author_id: 0 }],
    ['that is a call', { type: 'call', content: { call: { status: 'missed', target_user_id: ACCOUNT } } }],
    ['without a word', { content: { text: ' ' } }],
  ])('%s calls for no answer', (_, change) => {
    expect(parsed(change).kind).toBe('ignored')
  })

  it('that is taken back is not the message that it was', () => {
    const back = parsed({ type: 'deleted', content: {} })
    expect(back.kind).toBe('ignored')
    expect(back.externalKey).not.toBe(parsed().externalKey)
  })
})

it.each([
  ['a link', 'link', { link: { preview: { domain: 'habr.com' } } }],
  ['an ad that is gone', 'item', { item: null }],
])('%s without words is named, so that people see it', (_, type, content) => {
  expect(parsed({ type, content })).toMatchObject({ kind: 'message', attachments: [{ kind: 'other', name: type }] })
})

describe('a message of the account itself', () => {
  it('may be ours, and a person’s', () => {
    expect(parsed({ author_id: ACCOUNT })).toEqual({
      ...{ kind: 'humanReply', externalKey: 'out:c1348bb968650a00e693d87e0e5e7e92', mayBeOurs: true },
      ...{ chatId: 'u2i-YvRiaEtf8Qn~N4sh3mMKkA', externalMessageId: 'c1348bb968650a00e693d87e0e5e7e92' },
      text: 'Is it there?',
    })
    expect(parsed({ author_id: ACCOUNT, type: 'image', content: {} })).toMatchObject({ kind: 'humanReply', text: '📎' })
  })
})

it.each([
  ['another event', { payload: { type: 'chat_read', value: {} } }],
  ['a message without a chat', notificationOf({ chat_id: undefined })],
  ['a message of an unknown author', notificationOf({ author_id: 'anna' })],
  ['nothing', {}],
])('%s is kept as not understood', (_, body) => {
  expect(parseNotification(body).kind).toBe('unknown')
})
