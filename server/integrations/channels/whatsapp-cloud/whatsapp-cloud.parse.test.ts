// What is understood of the deliveries of the Cloud API.
import { describe, expect, it } from 'vitest'
import { parseNotification, splitDelivery } from './whatsapp-cloud.parse.ts'

const NUMBER = '123456789012345'
const CONTACTS = [{ profile: { name: 'Anna' }, wa_id: '77001234567' }]
const metadata = { display_phone_number: '77009000000', phone_number_id: NUMBER }
const deliver = (field: string, value: object) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes: [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }] }],
})
const parsed = (content: object) => {
  const message = { from: '77001234567', id: 'wamid.1', timestamp: '1700000000', ...content }
  return parseNotification(deliver('messages', { contacts: CONTACTS, messages: [message] }), NUMBER)
}
const file = { fileId: '77', mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text: null }

describe('a message', () => {
  it.each([
    ['voice', { type: 'audio', audio: { id: '77', mime_type: 'audio/ogg; codecs=opus', voice: true } }, 'audio/ogg'],
    ['audio', { type: 'audio', audio: { id: '77', mime_type: 'audio/mpeg', voice: false } }, 'audio/mpeg'],
    ['video', { type: 'video', video: { id: '77', mime_type: 'video/mp4' } }, 'video/mp4'],
  ])('may hold %s', (kind, content, mimeType) => {
    expect(parsed(content)).toMatchObject({ kind: 'message', text: '', attachments: [{ ...file, kind, mimeType }] })
  })

  it.each([
    [
      'a place by its name',
      { type: 'location', location: { latitude: 1, longitude: 2, name: 'Cafe', address: 'Abay 1' } },
      'location',
      'Cafe, Abay 1, 1, 2',
    ],
    ['a place', { type: 'location', location: { latitude: 43.2, longitude: 76.9 } }, 'location', '43.2, 76.9'],
    [
      'a contact',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Boris' }, phones: [{ phone: '+7 700' }] }] },
      'contact',
      'Boris, +7 700',
    ],
    [
      'a contact without a number',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Boris' }, emails: [{ email: 'b@example.com' }] }] },
      'contact',
      'Boris, b@example.com',
    ],
    [
      'an order from the catalogue',
      {
        type: 'order',
        order: {
          catalog_id: '1',
          text: 'By Friday, please',
          product_items: [{ product_retailer_id: 'CUP-1', quantity: '2', item_price: '4990', currency: 'KZT' }],
        },
      },
      'other',
      'By Friday, please\nCUP-1 × 2, 4990 KZT',
    ],
    ['a sticker', { type: 'sticker', sticker: { id: '77' } }, 'sticker', ''],
    ['what we cannot read', { type: 'unsupported', errors: [{ code: 131051 }] }, 'other', null],
    ['what did not exist yet', { type: 'hologram', hologram: { id: '77' } }, 'other', null],
    [
      'an answer of a kind that did not exist yet',
      {
        type: 'interactive',
        interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
      },
      'other',
      null,
    ],
    ['a button without words', { type: 'button', button: { payload: 'yes' } }, 'other', null],
    ['what vanishes', { type: 'ephemeral' }, 'other', null],
    ['a place that looks otherwise', { type: 'location', location: { latitude: '43.2' } }, 'other', null],
    ['an empty list of contacts', { type: 'contacts', contacts: [] }, 'other', null],
  ])('may hold %s', (_, content, kind, text) => {
    expect(parsed(content)).toMatchObject({ kind: 'message', attachments: [{ kind, text, fileId: null }] })
  })

  it.each([
    [
      'an advertisement',
      {
        referral: {
          source_type: 'ad',
          source_url: 'https://fb.me/1',
          headline: 'Kettles',
          body: 'Sale',
          ctwa_clid: 'x',
        },
      },
      { name: 'ad', text: 'Kettles\nSale\nhttps://fb.me/1' },
    ],
    [
      'a post',
      { referral: { source_type: 'post', source_url: 'https://fb.me/2' } },
      { name: 'post', text: 'https://fb.me/2' },
    ],
    [
      'a product of the catalogue',
      { context: { from: '1', id: 'wamid.0', referred_product: { catalog_id: '5', product_retailer_id: 'CUP-1' } } },
      { name: 'product', text: 'CUP-1' },
    ],
  ])('may be about %s', (_, content, about) => {
    expect(parsed({ type: 'text', text: { body: 'How much?' }, ...content })).toMatchObject({
      text: 'How much?',
      attachments: [{ kind: 'other', ...about }],
    })
  })

  it('may be a press of a choice of ours, or of another program', () => {
    const press = (id: string) => ({
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id, title: 'Large c…' } },
      context: { id: 'wamid.0' },
    })
    const ours = parsed(press('choice:Large coffee with milk'))
    expect(ours).toMatchObject({ text: 'Large coffee with milk', repliesTo: 'wamid.0' })
    expect(ours).not.toHaveProperty('pressed')
    const theirs = parsed(press('btn_1'))
    expect(theirs).toMatchObject({ text: 'Large c…', repliesTo: 'wamid.0', sentAt: 1_700_000_000_000 })
    expect(parsed({ type: 'button', button: { text: 'Yes', payload: 'x' } })).toMatchObject({ text: 'Yes' })
  })

  it('may be a form that was filled in, with its answers', () => {
    const form = (nfm_reply: object) => parsed({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } })
    const answers = { flow_token: 'x', name: 'Anna', guests: 4, days: ['Mon', 'Tue'] }
    expect(form({ name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) })).toMatchObject({
      text: 'Sent\nname: Anna\nguests: 4\ndays: ["Mon","Tue"]',
    })
    expect(form({ name: 'flow', response_json: 'guests 4' })).toMatchObject({ text: 'guests 4' })
  })

  it('of a customer who keeps their number is known by another id', () => {
    const message = { from_user_id: 'KZ.123abc', id: 'wamid.1', type: 'text', text: { body: 'Hello' } }
    const contacts = [{ profile: { name: 'Anna', username: '@anna' }, user_id: 'KZ.123abc' }]
    expect(parseNotification(deliver('messages', { contacts, messages: [message] }), NUMBER)).toMatchObject({
      chatId: 'KZ.123abc',
      sender: { externalId: 'KZ.123abc', name: 'Anna', username: 'anna' },
    })
  })

  it('names all ids of the sender, the number first, also where it stands with their contact alone', () => {
    const ids = (from: object, contact: object) => {
      const message = { ...from, id: 'wamid.1', type: 'text', text: { body: 'Hello' } }
      const inbound = parseNotification(deliver('messages', { contacts: [contact], messages: [message] }), NUMBER)
      return inbound.kind === 'message' && [inbound.chatId, inbound.sender.externalId, inbound.sender.aliases]
    }
    const [phone, user] = ['77001234567', 'KZ.123abc']
    const both = [phone, phone, [user]]
    expect(ids({ from: phone, from_user_id: user }, { wa_id: phone, user_id: user })).toEqual(both)
    expect(ids({ from: phone }, { wa_id: phone, user_id: user })).toEqual(both)
    expect(ids({ from_user_id: user }, { wa_id: phone, user_id: user })).toEqual(both)
    expect(ids({ from_user_id: user }, { wa_id: '77009999999', user_id: 'KZ.999' })).toEqual([user, user, []])
  })

  it.each(['reaction', 'system', 'revoke'])('that is a deed says nothing: %s', (type) => {
    expect(parsed({ type, [type]: { emoji: '👍' } })).toEqual({ kind: 'ignored', externalKey: 'in:wamid.1' })
  })

  it('may change an earlier one', () => {
    const edited = (message: object) => parsed({ type: 'edit', edit: { original_message_id: 'wamid.0', message } })
    const made = { kind: 'edit', externalKey: 'in:wamid.1', editedAt: 1_700_000_000_000 }
    const known = { ...made, chatId: '77001234567', externalMessageId: 'wamid.0' }
    expect(edited({ type: 'text', text: { body: 'At nine' } })).toEqual({ ...known, text: 'At nine' })
    const picture = { context: { id: 'wamid.5' }, type: 'image', image: { id: '77', caption: 'Our cafe' } }
    expect(edited(picture)).toEqual({ ...known, text: 'Our cafe' })
    expect(edited({ type: 'hologram' })).toEqual({ kind: 'ignored', externalKey: 'in:wamid.1' })
  })

  it('of another number of the same app is not for us', () => {
    const value = {
      contacts: CONTACTS,
      messages: [{ from: '77001234567', id: 'w', type: 'text', text: { body: 'x' } }],
    }
    for (const field of ['messages', 'history', 'something_new']) {
      expect(parseNotification(deliver(field, value), '999999')).toMatchObject({ kind: 'ignored', isOthers: true })
    }
  })
})

it('a reply from the app on the phone is a person taking over', () => {
  const echo = { from: '77009000000', to: '+77001234567', id: 'wamid.2', type: 'image', image: { id: '77' } }
  expect(parseNotification(deliver('smb_message_echoes', { message_echoes: [echo] }), NUMBER)).toEqual({
    kind: 'humanReply',
    externalKey: 'out:wamid.2',
    externalMessageId: 'wamid.2',
    chatId: '77001234567',
    text: '📎',
  })
})

it.each([
  [131047, 'out_of_window: 131047 details'],
  [131026, 'blocked: 131026 details'],
  [131053, '131053 details'],
  [131049, 'advertising: 131049 details'],
])('a failure says what its number means: %s', (code, reason) => {
  const statuses = [{ id: 'wamid.3', status: 'failed', errors: [{ code, error_data: { details: 'details' } }] }]
  expect(parseNotification(deliver('messages', { statuses }), NUMBER)).toMatchObject({ state: 'failed', reason })
})

describe('a delivery', () => {
  it('is taken apart into messages, receipts and changes, each with its sender', () => {
    const messages = ['77001234567', '77007654321'].map((from, index) => {
      return { from, id: `wamid.${index}`, type: 'text', text: { body: 'Hello' } }
    })
    const contacts = [...CONTACTS, { profile: { name: 'Boris' }, wa_id: '77007654321' }]
    const statuses = ['delivered', 'read'].map((status) => ({ id: 'wamid.9', status }))
    const { object, entry } = deliver('messages', { contacts, messages, statuses })
    const quality = deliver('phone_number_quality_update', { event: 'FLAGGED' }).entry
    const pieces = splitDelivery({ object, entry: [...entry, ...quality] })
    const understood = pieces.map((piece) => parseNotification(piece, NUMBER))
    expect(understood.map(({ kind, externalKey }) => `${kind} ${externalKey.slice(0, 24)}`)).toEqual([
      'message in:wamid.0',
      'message in:wamid.1',
      'receipt status:wamid.9:delivered',
      'receipt status:wamid.9:read',
      expect.stringMatching(/^ignored sha256:/),
    ])
    expect(understood.slice(0, 2)).toMatchObject([{ sender: { name: 'Anna' } }, { sender: { name: 'Boris' } }])
  })

  it.each([null, 'text', {}, { object: 'page', entry: [] }])('that is none stays whole: %j', (body) => {
    expect(splitDelivery(body)).toEqual([body])
    expect(parseNotification(body, NUMBER).kind).toBe('unknown')
  })
})

it('is repeated with each piece only as far as it says whose it is', () => {
  const value = { metadata: { phone_number_id: '1' }, junk: 'x'.repeat(100), messages: [{ id: 'a' }, { id: 'b' }] }
  const entry = [{ id: '2', changes: [{ field: 'messages', value }] }]
  const pieces = splitDelivery({ object: 'whatsapp_business_account', entry })
  expect(pieces).toHaveLength(2)
  expect(JSON.stringify(pieces)).not.toContain('xx')
})
