// What WhatsApp messages hold besides text, and the way to their files.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { listenOnLoopback } from '#tests/loopback.ts'
import { attachmentsOf, createMedia } from './green-api.attachments.ts'
import type { Ask } from './green-api.call.ts'
import { parseNotification } from './green-api.parse.ts'

const ID = '7103000001'
const file = { downloadUrl: 'https://files.example/1', fileName: 'prices.pdf' }

/** What a customer's message holds, as far as it is understood. */
function received(messageData: object) {
  const body = {
    typeWebhook: 'incomingMessageReceived',
    instanceData: { idInstance: ID },
    idMessage: 'A1',
    senderData: { chatId: '77001234567@c.us', sender: '77001234567@c.us' },
    messageData,
  }
  const inbound = parseNotification(body, ID)
  return inbound.kind === 'message' ? inbound : null
}

describe('a message', () => {
  it.each([
    [
      'a voice message',
      { typeMessage: 'audioMessage', fileMessageData: { ...file, mimeType: 'audio/ogg; codecs=opus' } },
      { kind: 'voice', mimeType: 'audio/ogg', fileId: file.downloadUrl, name: null },
    ],
    [
      'a recording',
      { typeMessage: 'audioMessage', fileMessageData: { ...file, mimeType: 'audio/mpeg' } },
      { kind: 'audio' },
    ],
    ['a picture', { typeMessage: 'imageMessage', fileMessageData: { ...file, caption: '' } }, { kind: 'image' }],
    ['a film', { typeMessage: 'videoMessage', fileMessageData: file }, { kind: 'video' }],
    ['a file', { typeMessage: 'documentMessage', fileMessageData: file }, { kind: 'document', name: 'prices.pdf' }],
    [
      'a sticker',
      { typeMessage: 'stickerMessage', fileMessageData: file },
      { kind: 'sticker', fileId: null, text: '' },
    ],
    [
      'a place',
      {
        typeMessage: 'locationMessage',
        locationMessageData: { nameLocation: 'Cafe', latitude: 43.2, longitude: 76.9 },
      },
      { kind: 'location', text: 'Cafe, 43.2, 76.9' },
    ],
    [
      'a contact',
      { typeMessage: 'contactMessage', contactMessageData: { displayName: 'Ann' } },
      { kind: 'contact', text: 'Ann' },
    ],
    [
      'a contact with its numbers',
      {
        typeMessage: 'contactMessage',
        contactMessageData: {
          displayName: 'Ann',
          vcard:
            'BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nTEL;waid=77001234567:+7 700 123 45 67\nitem1.TEL:+7 700 765 43 21\nEND:VCARD',
        },
      },
      { kind: 'contact', text: 'Ann, +7 700 123 45 67, +7 700 765 43 21' },
    ],
    [
      'what the phone has not passed on, by its placeholder alone',
      { typeMessage: 'textMessage', textMessageData: { textMessage: '{{SWE001}}' } },
      { kind: 'other', name: 'SWE001' },
    ],
    [
      'an unknown kind by its name alone',
      { typeMessage: 'hologramMessage' },
      { kind: 'other', name: 'hologramMessage' },
    ],
    [
      'a poll of another shape by its name alone',
      { typeMessage: 'pollMessage' },
      { kind: 'other', name: 'pollMessage' },
    ],
    [
      'a poll',
      {
        typeMessage: 'pollMessage',
        pollMessageData: {
          name: 'When?',
          options: [{ optionName: 'Mon' }, { optionName: 'Tue' }],
          multipleAnswers: false,
        },
      },
      { kind: 'other', name: 'poll', text: 'When?\n– Mon\n– Tue' },
    ],
    [
      'an invitation to a group',
      {
        typeMessage: 'groupInviteMessage',
        groupInviteMessageData: { groupJid: '1@g.us', groupName: 'Tea club', caption: 'Join us', inviteCode: 'x' },
      },
      { kind: 'other', name: 'group_invite', text: 'Tea club\nJoin us' },
    ],
    [
      'a picture of another shape by its name alone',
      { typeMessage: 'imageMessage', fileMessageData: 7 },
      { kind: 'other' },
    ],
  ])('may hold %s', (_, messageData, expected) => {
    expect(received(messageData)).toMatchObject({ text: '', attachments: [expected] })
  })

  it.each([
    ['in an object of their own', (contacts: object[]) => ({ messageData: { contacts, isForwarded: false } })],
    ['next to their type', (contacts: object[]) => ({ contacts, isForwarded: false })],
  ])('may hold several contacts, %s', (_, placed) => {
    const contacts = [
      {
        displayName: 'Anna',
        vcard: 'BEGIN:VCARD\nFN:Anna\nTEL;type=CELL;waid=77001234567:+7 700 123 45 67\nEND:VCARD',
      },
      { displayName: 'Boris', vcard: 'BEGIN:VCARD\nFN:Boris\nEND:VCARD' },
    ]
    expect(received({ typeMessage: 'contactsArrayMessage', ...placed(contacts) })?.attachments).toMatchObject([
      { kind: 'contact', text: 'Anna, +7 700 123 45 67' },
      { kind: 'contact', text: 'Boris' },
    ])
  })

  it('says which advertisement it was begun from, and nothing of a link in it', () => {
    const link = { text: 'Can I get more info on this?', title: 'Kettles', description: 'Sale until Friday' }
    const ad = { ...link, sourceType: 'ad', sourceId: '1', sourceUrl: 'https://fb.me/1' }
    expect(received({ typeMessage: 'extendedTextMessage', extendedTextMessageData: ad })).toMatchObject({
      text: link.text,
      attachments: [{ kind: 'other', name: 'ad', text: 'Kettles\nSale until Friday\nhttps://fb.me/1' }],
    })
    expect(received({ typeMessage: 'extendedTextMessage', extendedTextMessageData: link })).not.toHaveProperty(
      'attachments',
    )
  })

  it('may be a vote in a poll, which quotes the question; a vote that is taken back says nothing', () => {
    const vote = (...optionVoters: string[]) => ({
      typeMessage: 'pollUpdateMessage',
      pollMessageData: {
        stanzaId: 'B1',
        name: 'When?',
        votes: [
          { optionName: 'Mon', optionVoters },
          { optionName: 'Tue', optionVoters: [] },
        ],
        multipleAnswers: false,
      },
    })
    expect(received(vote('77001234567@c.us'))).toMatchObject({ text: 'Mon', quoted: 'When?', repliesTo: 'B1' })
    expect(received(vote('77001234567@c.us'))).not.toHaveProperty('attachments')
    expect(received(vote())).toBeNull()
  })

  it('keeps its words along with its picture', () => {
    const picture = { typeMessage: 'imageMessage', fileMessageData: { ...file, caption: 'How much?' } }
    expect(received(picture)).toMatchObject({ text: 'How much?', attachments: [{ kind: 'image' }] })
  })

  it('of words alone holds nothing else', () => {
    expect(attachmentsOf({ typeMessage: 'textMessage' }, 'Hi')).toEqual([])
    expect(received({ typeMessage: 'textMessage', textMessageData: { textMessage: 'Hi' } })).not.toHaveProperty(
      'attachments',
    )
  })
})

describe('a file', () => {
  let server: Awaited<ReturnType<typeof listenOnLoopback>>
  beforeAll(async () => {
    server = await listenOnLoopback(
      ({ url }) => new Response('bytes', { status: Number(new URL(url).pathname.slice(1)) }),
    )
  })
  afterAll(() => server.close())

  const credentials = { token: 'token', webhookSecret: 'secret' }
  const refuseCall: Ask = () => Promise.reject(new Error('GREEN-API was asked'))
  const fetched = (url: string, maxBytes: number) =>
    createMedia(createOutbound({ isAllowed: () => true }), refuseCall).download(
      credentials,
      url,
      maxBytes,
      new AbortController().signal,
    )

  it('is fetched from where the notification says', async () => {
    expect(Buffer.from(await fetched(`${server.url}/200`, 5)).toString()).toBe('bytes')
  })

  it.each<[string, string, number, AdapterError['kind']]>([
    ['is gone', '/404', 5, 'permanent'],
    ['is larger than wanted', '/200', 4, 'permanent'],
    ['cannot be had at the moment', '/503', 5, 'temporary'],
  ])('that %s is not fetched', async (_, path, maxBytes, kind) => {
    const error = await fetched(`${server.url}${path}`, maxBytes).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AdapterError)
    expect(error).toMatchObject({ kind })
  })

  it('is never fetched from inside our own network', async () => {
    const call = createMedia(createOutbound(), refuseCall).download(
      credentials,
      `${server.url}/200`,
      5,
      new AbortController().signal,
    )
    await expect(call).rejects.toMatchObject({ kind: 'permanent' })
  })
})
