// GREEN-API's notifications, understood.
import { describe, expect, it } from 'vitest'
import { instanceUrl } from './green-api.access.ts'
import { parseNotification } from './green-api.parse.ts'

const ID = '7103000001'
const head = {
  instanceData: { idInstance: Number(ID), wid: '77010000000@c.us', typeInstance: 'whatsapp' },
  timestamp: 1_763_700_000,
}
const senderData = { chatId: '77001234567@c.us', sender: '77001234567@c.us', senderName: 'Anna' }
const said = (messageData: object, given: object = {}) => ({
  ...head,
  typeWebhook: 'incomingMessageReceived',
  idMessage: 'A1',
  senderData,
  messageData,
  ...given,
})
const text = { typeMessage: 'textMessage', textMessageData: { textMessage: 'Hello' } }

describe('a message of a customer', () => {
  it('is known by its id and names its sender', () => {
    expect(parseNotification(said(text), ID)).toEqual({
      kind: 'message',
      externalKey: 'in:A1',
      chatId: '77001234567@c.us',
      sender: { externalId: '77001234567@c.us', name: 'Anna', username: null, language: null },
      text: 'Hello',
    })
  })

  it.each([
    ['a text with a link', { typeMessage: 'extendedTextMessage', extendedTextMessageData: { text: 'Hello' } }],
    ['an answer to a message', { typeMessage: 'quotedMessage', extendedTextMessageData: { text: 'Hello' } }],
    ['the caption of a picture', { typeMessage: 'imageMessage', fileMessageData: { caption: ' Hello ' } }],
  ])('may be %s', (_, messageData) => {
    expect(parseNotification(said(messageData), ID)).toMatchObject({ kind: 'message', text: 'Hello' })
  })

  it('is called by the name in the address book, then by the own one, then by the number', () => {
    const nameOf = (more: object) => {
      const inbound = parseNotification(said(text, { senderData: { ...senderData, ...more } }), ID)
      return inbound.kind === 'message' ? inbound.sender.name : inbound.kind
    }
    expect(nameOf({ senderContactName: 'Anna from work' })).toBe('Anna from work')
    expect(nameOf({ senderName: '' })).toBe('+77001234567')
  })

  it.each([
    ['in a group', { senderData: { ...senderData, chatId: '120363000000000000@g.us' } }],
    ['in a broadcast', { senderData: { ...senderData, chatId: 'status@broadcast' } }],
    ['without anything in it', { messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: ' ' } } }],
  ])('%s is not answered', (_, given) => {
    expect(parseNotification(said(text, given), ID)).toEqual({ kind: 'ignored', externalKey: 'in:A1' })
  })

  it('of another instance is not understood', () => {
    expect(parseNotification(said(text), '7103000002')).toMatchObject({ kind: 'unknown' })
  })
})

describe('a message past us', () => {
  it('from the phone is a reply of a person', () => {
    expect(parseNotification(said(text, { typeWebhook: 'outgoingMessageReceived' }), ID)).toEqual({
      kind: 'humanReply',
      externalKey: 'out:A1',
      externalMessageId: 'A1',
      chatId: '77001234567@c.us',
      text: 'Hello',
    })
  })

  it('is one without words too', () => {
    const picture = { typeMessage: 'imageMessage', fileMessageData: { caption: '' } }
    const body = said(picture, { typeWebhook: 'outgoingMessageReceived' })
    expect(parseNotification(body, ID)).toMatchObject({ kind: 'humanReply', text: '📎' })
  })

  it('that went through the API is our own echo', () => {
    const body = said(text, { typeWebhook: 'outgoingAPIMessageReceived' })
    expect(parseNotification(body, ID)).toMatchObject({ kind: 'ignored' })
  })
})

describe('news', () => {
  const news = (typeWebhook: string, more: object) => parseNotification({ ...head, typeWebhook, ...more }, ID)

  it.each(['failed', 'noAccount'])('of a message that is %s says that it does not arrive', (status) => {
    expect(news('outgoingMessageStatus', { idMessage: 'A1', status })).toEqual({
      kind: 'receipt',
      externalKey: `status:A1:${status}`,
      externalMessageId: 'A1',
      state: 'failed',
      reason: status,
    })
  })

  it.each(['delivered', 'read'])('of a message that is %s says so', (status) => {
    expect(news('outgoingMessageStatus', { idMessage: 'A1', status })).toEqual({
      kind: 'receipt',
      externalKey: `status:A1:${status}`,
      externalMessageId: 'A1',
      state: status,
    })
  })

  it('of a message that is sent changes nothing: the answer to the request has told', () => {
    expect(news('outgoingMessageStatus', { idMessage: 'A1', status: 'sent' })).toMatchObject({ kind: 'ignored' })
  })

  it('of the account tells its state, its number and the moment', () => {
    expect(news('stateInstanceChanged', { stateInstance: 'yellowCard' })).toEqual({
      kind: 'accountState',
      externalKey: 'state:1763700000:yellowCard',
      state: 'yellowCard',
      identifier: '77010000000',
      at: 1_763_700_000_000,
    })
    expect(news('stateInstanceChanged', { stateInstance: 'telepathic' })).toMatchObject({ state: 'unknown' })
  })

  it('of a kind that exists is ignored, of any other kept', () => {
    expect(news('incomingCall', {}).kind).toBe('ignored')
    expect(news('telepathyReceived', {}).kind).toBe('unknown')
  })
})

describe('the address of an instance', () => {
  const root = 'https://api.green-api.com'

  it.each([
    [undefined, root],
    ['', root],
    ['https://7103.api.greenapi.com', 'https://7103.api.greenapi.com'],
    ['https://7103.api.greenapi.com/', 'https://7103.api.greenapi.com'],
    ['https://api.green-api.com/waInstance1', root],
  ])('%s becomes %s', (entered, url) => {
    expect(instanceUrl(entered, root)).toBe(url)
  })

  it.each([
    'nonsense',
    'http://7103.api.greenapi.com',
    'https://greenapi.com.evil.example',
    'https://evilgreenapi.com',
    'https://user@api.greenapi.com',
    'https://api.greenapi.com:8443',
    'http://169.254.169.254/',
  ])('%s is refused: the token would be sent there', (entered) => {
    expect(instanceUrl(entered, root)).toBeUndefined()
  })

  it('is the one of the installation when that is somewhere else', () => {
    expect(instanceUrl('http://127.0.0.1:4000/', 'http://127.0.0.1:4000')).toBe('http://127.0.0.1:4000')
  })
})
