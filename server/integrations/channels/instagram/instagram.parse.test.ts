// What is understood of the deliveries of Instagram.
import { describe, expect, it } from 'vitest'
import { parseNotification, splitDelivery } from './instagram.parse.ts'

const ACCOUNT = '17841400000000001'
const CUSTOMER = '4242424242'
const deliver = (event: object, id = ACCOUNT) => ({
  object: 'instagram',
  entry: [{ id, time: 1_700_000_000_500, messaging: [{ timestamp: 1_700_000_000_000, ...event }] }],
})
const fromCustomer = { sender: { id: CUSTOMER }, recipient: { id: ACCOUNT } }
const fromAccount = { sender: { id: ACCOUNT }, recipient: { id: CUSTOMER } }
const parse = (event: object) => parseNotification(deliver(event), ACCOUNT)
const parsed = (message: object) => parse({ ...fromCustomer, message: { mid: 'mid.1', ...message } })
const attached = (type: string, payload: object = { url: 'https://lookaside.fbsbx.com/a' }) =>
  parsed({ attachments: [{ type, payload }] })
const file = { mimeType: null, sizeBytes: null, durationSeconds: null, text: null }

describe('a message', () => {
  it('says who wrote what and when, without a name yet', () => {
    expect(parsed({ text: ' Hello ' })).toEqual({
      kind: 'message',
      externalKey: 'in:mid.1',
      externalMessageId: 'mid.1',
      chatId: CUSTOMER,
      sender: { externalId: CUSTOMER, name: CUSTOMER, username: null, language: null },
      text: 'Hello',
      sentAt: 1_700_000_000_000,
    })
  })

  it.each([
    ['a picture', 'image', 'image', null],
    ['a film', 'video', 'video', null],
    ['a voice message', 'audio', 'voice', null],
    ['a reel', 'ig_reel', 'video', 'ig_reel'],
    ['a post', 'share', 'image', 'share'],
    ['a post by its newer name', 'ig_post', 'image', 'ig_post'],
    ['a mention in a story', 'story_mention', 'image', 'story_mention'],
  ])('may hold %s', (_, type, kind, name) => {
    const attachments = [{ ...file, kind, name, fileId: 'https://lookaside.fbsbx.com/a' }]
    expect(attached(type)).toMatchObject({ kind: 'message', text: '', attachments })
  })

  it('may hold a file, whose name ends its address, or a post with a title', () => {
    const url = 'https://lookaside.fbsbx.com/x/%D1%86%D0%B5%D0%BD%D1%8B.pdf?asset=1'
    expect(attached('file', { url })).toMatchObject({
      attachments: [{ kind: 'document', name: 'цены.pdf', fileId: url }],
    })
    expect(attached('file')).toMatchObject({ attachments: [{ kind: 'document', name: null }] })
    const reel = { url: 'https://cdn/r', title: 'New in' }
    expect(attached('reel', reel)).toMatchObject({ attachments: [{ kind: 'video', name: 'New in' }] })
  })

  it.each([
    ['what did not exist yet', { attachments: [{ type: 'hologram', payload: { url: 'https://cdn/h' } }] }, 'hologram'],
    ['a picture without an address', { attachments: [{ type: 'image', payload: {} }] }, 'image'],
    ['what looks otherwise', { attachments: ['?'] }, 'unsupported'],
    ['what Instagram itself cannot tell', { is_unsupported: true }, 'unsupported'],
    ['what Meta has added since', { hologram: {} }, 'unsupported'],
  ])('may hold %s', (_, message, name) => {
    const attachments = [{ ...file, kind: 'other', name, fileId: null }]
    expect(parsed(message)).toMatchObject({ kind: 'message', text: '', attachments })
  })

  it.each([
    [
      'an advertisement',
      { ads_context_data: { ad_title: 'Kettles', photo_url: 'https://cdn/p' } },
      'image',
      'Kettles',
      null,
    ],
    ['a film of an advertisement', { ads_context_data: { video_url: 'https://cdn/v' } }, 'video', 'ad', null],
    ['words of an advertisement', { ads_context_data: { ad_title: 'Kettles' } }, 'other', 'ad', 'Kettles'],
    ['a product of the shop', { product: { id: '77' } }, 'other', 'product', '77'],
  ])('may be about %s', (_, referral, kind, name, text) => {
    const about = parsed({ text: 'How much?', referral: { ref: 'r', source: 'ADS', type: 'OPEN_THREAD', ...referral } })
    expect(about).toMatchObject({ text: 'How much?', attachments: [{ kind, name, text }] })
    expect(about).not.toHaveProperty('forwarded')
  })

  it('may reply to a message or to a story, which is what it is about', () => {
    expect(parsed({ text: 'This one?', reply_to: { mid: 'mid.0' } })).toMatchObject({ repliesTo: 'mid.0' })
    const about = parsed({ text: 'How much?', reply_to: { story: { url: 'https://cdn/s', id: '7' } } })
    expect(about).toMatchObject({
      text: 'How much?',
      attachments: [{ kind: 'image', name: 'story', fileId: 'https://cdn/s' }],
    })
    expect(about).not.toHaveProperty('repliesTo')
  })

  it('may be a press of a choice of ours, whole, of another program, or of a menu', () => {
    const press = (payload: string) => parsed({ text: 'Large c…', quick_reply: { payload } })
    expect(press('choice:Large coffee with milk')).toMatchObject({ text: 'Large coffee with milk' })
    expect(press('btn_1')).toMatchObject({ text: 'Large c…' })
    const postback = (given: object) => parse({ ...fromCustomer, postback: given })
    expect(postback({ mid: 'mid.7', title: 'Opening hours', payload: 'HOURS' })).toMatchObject({
      kind: 'message',
      externalKey: 'in:mid.7',
      externalMessageId: 'mid.7',
      text: 'Opening hours',
    })
    expect(postback({ payload: 'HOURS' })).toMatchObject({ kind: 'message', text: 'HOURS' })
    expect(postback({ mid: 'mid.8' })).toMatchObject({ kind: 'ignored' })
  })

  it('may be changed; one that was never changed is the message itself, once', () => {
    const edited = (message_edit: object) => parse({ ...fromCustomer, message_edit })
    expect(edited({ mid: 'mid.1', text: 'At nine', num_edit: 2 })).toEqual({
      kind: 'edit',
      externalKey: 'edit:mid.1:2',
      chatId: CUSTOMER,
      externalMessageId: 'mid.1',
      text: 'At nine',
      editedAt: 1_700_000_000_000,
    })
    expect(edited({ mid: 'mid.1', text: 'At nine', num_edit: '3' })).toMatchObject({ externalKey: 'edit:mid.1:3' })
    expect(edited({ mid: 'mid.1', text: 'Hello', num_edit: 0 })).toEqual(parsed({ text: 'Hello' }))
    expect(edited({ mid: 'mid.1', num_edit: 0 }).kind).toBe('unknown')
    expect(parse({ ...fromAccount, message_edit: { mid: 'mid.1', text: 'x', num_edit: 1 } }).kind).toBe('ignored')
  })

  it('says nothing when it is taken back, empty, or written to oneself', () => {
    expect(parsed({ is_deleted: true })).toEqual({ kind: 'ignored', externalKey: 'deleted:mid.1' })
    expect(parsed({})).toEqual({ kind: 'ignored', externalKey: 'in:mid.1' })
    expect(parsed({ text: 'A note', is_self: true })).toEqual({ kind: 'ignored', externalKey: 'self:mid.1' })
  })

  it('comes in another shape when the webhook is tested', () => {
    const value = { ...fromCustomer, timestamp: '1527459824', message: { mid: 'random_mid', text: 'random_text' } }
    const body = (field: string) => ({ object: 'instagram', entry: [{ id: ACCOUNT, changes: [{ field, value }] }] })
    expect(parseNotification(body('messages'), ACCOUNT)).toMatchObject({ kind: 'message', text: 'random_text' })
    expect(parseNotification(body('comments'), ACCOUNT).kind).toBe('ignored')
  })
})

describe('what the account has sent', () => {
  const echo = (message: object) => parse({ ...fromAccount, message: { mid: 'mid.2', is_echo: true, ...message } })

  it('is an answer past us, or one of ours', () => {
    expect(echo({ text: 'This is Boris' })).toEqual({
      kind: 'humanReply',
      externalKey: 'out:mid.2',
      externalMessageId: 'mid.2',
      chatId: CUSTOMER,
      text: 'This is Boris',
      mayBeOurs: true,
    })
    const picture = { attachments: [{ type: 'image', payload: { url: 'https://cdn/p' } }] }
    expect(echo(picture)).toMatchObject({ kind: 'humanReply', text: '📎', mayBeOurs: true })
    expect(parse({ ...fromAccount, message: { mid: 'mid.2', text: 'Unmarked' } })).toMatchObject({ kind: 'humanReply' })
  })

  it('is none when it is a mention in its own story, or was taken back', () => {
    expect(echo({ attachments: [{ type: 'story_mention', payload: { url: 'https://cdn/s' } }] }).kind).toBe('ignored')
    expect(echo({ text: 'x', is_deleted: true })).toMatchObject({ kind: 'ignored', externalKey: 'deleted:mid.2' })
  })
})

it('that a customer has seen a message is a receipt, but not what the account has seen', () => {
  const read = { mid: 'mid.2' }
  const receipt = {
    kind: 'receipt',
    externalKey: 'read:mid.2',
    externalMessageId: 'mid.2',
    state: 'read',
    isUpTo: true,
  }
  expect(parse({ ...fromCustomer, read })).toEqual(receipt)
  expect(parse({ ...fromAccount, read }).kind).toBe('ignored')
})

it.each(['reaction', 'referral', 'optin', 'pass_thread_control'])('%s says nothing to be answered', (name) => {
  expect(parse({ ...fromCustomer, [name]: { mid: 'mid.1', action: 'react' } }).kind).toBe('ignored')
})

describe('a delivery', () => {
  it('of another account of the same app is not for us, whatever it tells', () => {
    const message = { mid: 'mid.1', text: 'For nobody else' }
    for (const event of [{ ...fromCustomer, message }, { something: 'new' }]) {
      expect(parseNotification(deliver(event, '999'), ACCOUNT)).toMatchObject({ kind: 'ignored', isOthers: true })
    }
    expect(parseNotification(deliver({ ...fromCustomer, message }, '999'), undefined)).toMatchObject({
      kind: 'message',
    })
  })

  it('is taken apart into the events of each account', () => {
    const message = (mid: string) => ({ ...fromCustomer, message: { mid, text: mid } })
    const entry = {
      id: ACCOUNT,
      time: 1,
      messaging: [message('a'), message('b')],
      changes: [{ field: 'comments', value: {} }],
    }
    const other = { id: '999', time: 1, messaging: [message('c')], standby: [message('d')] }
    const understood = splitDelivery({ object: 'instagram', entry: [entry, other] }).map((piece) => {
      return parseNotification(piece, ACCOUNT)
    })
    expect(understood.map(({ kind, externalKey }) => `${kind} ${externalKey.slice(0, 4)}`)).toEqual([
      'message in:a',
      'message in:b',
      'ignored sha2',
      'ignored sha2',
      'ignored sha2',
    ])
    expect(understood.map((one) => one.kind === 'ignored' && one.isOthers === true)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })

  it('while another app has the conversation is left to it', () => {
    const standby = [{ ...fromCustomer, message: { mid: 'mid.1', text: 'Hello' } }]
    const body = { object: 'instagram', entry: [{ id: ACCOUNT, standby }] }
    expect(parseNotification(body, ACCOUNT).kind).toBe('ignored')
  })

  it.each([null, 'text', {}, { object: 'page', entry: [] }])('that is none stays whole: %j', (body) => {
    expect(splitDelivery(body)).toEqual([body])
    expect(parseNotification(body, ACCOUNT).kind).toBe('unknown')
  })
})

it('is repeated with each piece only as far as it says whose it is', () => {
  const entry = { id: ACCOUNT, time: 1, junk: 'x'.repeat(100), messaging: [{}, {}] }
  const pieces = splitDelivery({ object: 'instagram', entry: [entry] })
  expect(pieces).toHaveLength(2)
  expect(JSON.stringify(pieces)).not.toContain('x')
})
