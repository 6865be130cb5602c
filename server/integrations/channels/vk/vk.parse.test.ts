// What events of a VK community mean, and what becomes of those that look otherwise.
import { describe, expect, it } from 'vitest'
import { OUR_PAYLOAD, parseEvent } from './vk.parse.ts'

const CHAT = 4242
const parse = (event: unknown, sent: number[] = []) => parseEvent(event, (randomId) => sent.includes(randomId))
const event = (type: string, object: unknown, more: object = {}) => ({
  ...{ group_id: 7, type, event_id: `${type}1`, v: '5.199', object },
  ...more,
})
const messageOf = (text: string, more: object = {}) => ({
  ...{ id: 90, date: 1_700_000_000, peer_id: CHAT, from_id: CHAT, out: 0, text, conversation_message_id: 5 },
  ...{ attachments: [], fwd_messages: [], random_id: 0, important: false, is_hidden: false },
  ...more,
})
const written = (text: string, more: object = {}) =>
  event('message_new', { message: messageOf(text, more), client_info: { lang_id: 0 } })
const answered = (text: string, more: object = {}) =>
  event('message_reply', messageOf(text, { from_id: -7, out: 1, random_id: 777, ...more }))
const attached = (...attachments: object[]) => {
  const inbound = parse(written('', { attachments }))
  return inbound.kind === 'message' ? inbound.attachments : inbound
}

describe('a message', () => {
  it('has its author as the sender, whose id stands for the name, and is known by its id', () => {
    expect(parse(written(' Hello '))).toEqual({
      kind: 'message',
      externalKey: 'in:90',
      externalMessageId: '90',
      chatId: '4242',
      sender: { externalId: '4242', name: '4242', username: null, language: 'ru' },
      text: 'Hello',
      sentAt: 1_700_000_000_000,
    })
    const again = { ...written('Hello'), event_id: 'another' }
    expect(parse(again).externalKey).toBe('in:90')
  })

  it('names what it replies to, and shows mentions as people read them', () => {
    const reply_message = { id: 88, text: 'Is [id5|Anna] coming?', from_id: -7, date: 1 }
    expect(parse(written('[club7|Cafe], yes', { reply_message }))).toMatchObject({
      ...{ text: 'Cafe, yes', quoted: 'Is Anna coming?', repliesTo: '88' },
    })
  })

  it('that forwards others says what they say', () => {
    const fwd_messages = [
      { text: 'First\nSecond', from_id: 1, date: 1 },
      { text: '', attachments: [] },
    ]
    expect(parse(written('Look', { fwd_messages }))).toMatchObject({ text: 'Look\n> First\n> Second' })
    expect(parse(written('', { fwd_messages }))).toMatchObject({ kind: 'message', text: '> First\n> Second' })
  })

  it.each([
    ['of a chat of several people', { peer_id: 2_000_000_001, id: 0 }],
    ['of another community', { peer_id: -99, from_id: -99 }],
    ['without anything in it', {}],
  ])('%s is none', (_, more) => {
    expect(parse(written('', more)).kind).toBe('ignored')
  })

  it('of a chat has a key of its own although its id is 0', () => {
    const keys = ['one', 'two'].map((text) => parse(written(text, { peer_id: 2_000_000_001, id: 0 })).externalKey)
    expect(new Set(keys).size).toBe(2)
  })
})

describe('a press', () => {
  it('says the whole choice, whatever fits on its button', () => {
    const payload = JSON.stringify({ choice: 'The one that is far too long for a button of VK' })
    expect(parse(written('The one that is far too long for a but…', { payload }))).toMatchObject({
      text: 'The one that is far too long for a button of VK',
    })
  })

  it('of "Start" is a greeting, with what the link carried', () => {
    const payload = '{"command":"start"}'
    expect(parse(written('Начать', { payload }))).toMatchObject({ text: '/start' })
    expect(parse(written('Начать', { payload, ref: 'spring' }))).toMatchObject({ text: '/start spring' })
  })

  it.each(['not json', '7', 'null', '[]', '{"button":"3"}'])(
    'of a button of others, which carries %s, says what is on it',
    (payload) => {
      expect(parse(written('Prices', { payload }))).toMatchObject({ kind: 'message', text: 'Prices' })
    },
  )
})

describe('what is attached', () => {
  const nothing = { fileId: null, mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text: null }

  it('is the largest of the sizes of a picture', () => {
    const sizes = [
      { type: 'w', width: 1000, height: 900, url: 'https://sun.example/w' },
      { type: 's', width: 75, height: 70, url: 'https://sun.example/s' },
    ]
    expect(attached({ type: 'photo', photo: { id: 1, owner_id: 2, sizes } })).toEqual([
      { ...nothing, kind: 'image', fileId: 'https://sun.example/w', mimeType: 'image/jpeg' },
    ])
  })

  it('is a document by its name and size, or a recording by its length', () => {
    const doc = { title: 'Prices', ext: 'pdf', size: 900, url: 'https://vk.example/doc1' }
    const voice = {
      duration: 7,
      link_ogg: 'https://psv.example/a.ogg',
      link_mp3: 'https://psv.example/a.mp3',
      waveform: [],
    }
    expect(attached({ type: 'doc', doc }, { type: 'audio_message', audio_message: voice })).toEqual([
      { ...nothing, kind: 'document', fileId: 'https://vk.example/doc1', name: 'Prices.pdf', sizeBytes: 900 },
      { ...nothing, kind: 'voice', fileId: 'https://psv.example/a.ogg', mimeType: 'audio/ogg', durationSeconds: 7 },
    ])
  })

  it('says what it is where there is no file', () => {
    const found = attached(
      { type: 'sticker', sticker: { sticker_id: 5, images: [] } },
      { type: 'video', video: { title: 'Dance', duration: 60 } },
      { type: 'link', link: { title: 'Menu', url: 'https://cafe.example' } },
      { type: 'market', market: { title: 'Cup', price: { text: '500 ₽' } } },
      { type: 'poll', poll: { question: 'When?', answers: [{ text: 'Mon' }, { text: 'Tue' }] } },
      { type: 'article', article: { title: 'How to brew', url: 'https://vk.com/@tea' } },
      { type: 'hologram', hologram: {} },
    )
    expect(found).toMatchObject([
      { kind: 'sticker', fileId: null },
      { kind: 'video', fileId: null, name: 'Dance', durationSeconds: 60 },
      { kind: 'other', name: 'Menu https://cafe.example' },
      { kind: 'other', name: 'Cup, 500 ₽' },
      { kind: 'other', name: 'poll', text: 'When?\n– Mon\n– Tue' },
      { kind: 'other', name: 'How to brew https://vk.com/@tea' },
      { kind: 'other', name: 'hologram' },
    ])
  })

  it('may be a place', () => {
    const geo = { type: 'point', coordinates: { latitude: 43.2, longitude: 76.9 }, place: { title: 'Almaty' } }
    expect(parse(written('', { geo }))).toMatchObject({
      attachments: [{ kind: 'location', text: 'Almaty, 43.2, 76.9' }],
    })
  })

  it('that is malformed does not invalidate the rest of the message', () => {
    const attachments = [
      { type: 'photo', photo: 'no' },
      7,
      { type: 'doc', doc: { title: 5, url: 'https://vk.example/2' } },
    ]
    expect(parse(written('Hello', { attachments }))).toMatchObject({
      text: 'Hello',
      attachments: [
        { kind: 'other', name: 'photo' },
        { kind: 'document', name: null, fileId: 'https://vk.example/2' },
      ],
    })
  })
})

it('an attachment without a kind is shown all the same', () => {
  expect(attached({ unheard_of: {} })).toMatchObject([{ kind: 'other', name: null }])
})

describe('a change', () => {
  it('of a customer’s message names it, each time under another key', () => {
    const edited = (text: string, update_time: number) => parse(event('message_edit', messageOf(text, { update_time })))
    expect(edited('At nine', 5)).toEqual({
      ...{ kind: 'edit', externalKey: 'edit:90:5', chatId: '4242', externalMessageId: '90', text: 'At nine' },
      editedAt: 5000,
    })
    expect(edited('At ten', 6).externalKey).not.toBe(edited('At nine', 5).externalKey)
  })

  it('of the community’s message is ignored', () => {
    expect(parse(event('message_edit', messageOf('Hi', { from_id: -7, out: 1, update_time: 5 }))).kind).toBe('ignored')
  })
})

describe('an answer of the community', () => {
  it('that a person has written past us names who has', () => {
    expect(parse(answered('This is Boris', { admin_author_id: 45 }))).toEqual({
      ...{ kind: 'humanReply', externalKey: 'out:90', chatId: '4242', externalMessageId: '90', text: 'This is Boris' },
      mayBeOurs: true,
    })
    expect(parse(answered('', { admin_author_id: 45, attachments: [{ type: 'photo' }] }))).toMatchObject({ text: '📎' })
  })

  it('is ours when we have sent it, whatever author VK names', () => {
    const author = { admin_author_id: 45 }
    expect(parse(answered('Hello')).kind).toBe('ignored')
    expect(parse(answered('Hello', { ...author, payload: OUR_PAYLOAD })).kind).toBe('ignored')
    expect(parse(answered('Hello', author), [777]).kind).toBe('ignored')
    expect(parse(answered('Hello', author), [778]).kind).toBe('humanReply')
  })

  it('in a chat of several people is ignored', () => {
    expect(parse(answered('Hi', { admin_author_id: 45, peer_id: 2_000_000_001, id: 0 })).kind).toBe('ignored')
  })
})

describe('other events', () => {
  it('tell that a message was read by the customer', () => {
    const read = (from_id: number) => parse(event('message_read', { from_id, peer_id: CHAT, read_message_id: 90 }))
    expect(read(CHAT)).toEqual({
      ...{ kind: 'receipt', externalKey: 'read:4242:90', externalMessageId: '90', state: 'read', isUpTo: true },
    })
    expect(read(-7).kind).toBe('ignored')
  })

  it.each(['message_deny', 'message_allow', 'message_typing_state', 'wall_post_new', 'group_join', 'confirmation'])(
    'such as %s are understood and mean nothing',
    (type) => {
      expect(parse(event(type, { user_id: CHAT }))).toEqual({ kind: 'ignored', externalKey: `event:${type}1` })
    },
  )

  it.each([
    ['of an unknown kind of message', event('message_teleported', {})],
    ['a message that is none', event('message_new', { message: { id: 'x' } })],
    ['an answer that is none', event('message_reply', 'Hello')],
    ['without an object', { type: 'message_new', group_id: 7 }],
  ])('%s are kept for a person to look at', (_, body) => {
    expect(parse(body)).toMatchObject({ kind: 'unknown', externalKey: expect.stringMatching(/^sha256:/) })
  })
})
