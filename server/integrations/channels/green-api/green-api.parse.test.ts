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
const incoming = (messageData: object, given: object = {}) => ({
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
    expect(parseNotification(incoming(text), ID)).toEqual({
      kind: 'message',
      externalKey: 'in:A1',
      externalMessageId: 'A1',
      chatId: '77001234567@c.us',
      sender: { externalId: '77001234567@c.us', aliases: [], name: 'Anna', username: null, language: null },
      text: 'Hello',
      sentAt: 1_763_700_000_000,
    })
  })

  it.each([
    ['a text with a link', { typeMessage: 'extendedTextMessage', extendedTextMessageData: { text: 'Hello' } }],
    ['an answer to a message', { typeMessage: 'quotedMessage', extendedTextMessageData: { text: 'Hello' } }],
    [
      'a choice by a button',
      {
        typeMessage: 'templateButtonsReplyMessage',
        templateButtonReplyMessage: { stanzaId: 'A0', selectedIndex: 0, selectedId: '1', selectedDisplayText: 'Hello' },
      },
    ],
    [
      'a choice by a button of the older kind',
      {
        typeMessage: 'buttonsResponseMessage',
        buttonsResponseMessage: { stanzaId: 'A0', selectedButtonId: '1', selectedButtonText: 'Hello' },
      },
    ],
    ['a choice from a list', { typeMessage: 'listResponseMessage', listResponseMessage: { title: 'Hello' } }],
    ['a text with buttons', { typeMessage: 'templateMessage', templateMessage: { contentText: 'Hello' } }],
    ['the caption of a picture', { typeMessage: 'imageMessage', fileMessageData: { caption: ' Hello ' } }],
  ])('may be %s', (_, messageData) => {
    expect(parseNotification(incoming(messageData), ID)).toMatchObject({ kind: 'message', text: 'Hello' })
  })

  it('is called by the name in the address book, then by the own one, then by the number', () => {
    const nameOf = (more: object) => {
      const inbound = parseNotification(incoming(text, { senderData: { ...senderData, ...more } }), ID)
      return inbound.kind === 'message' ? inbound.sender.name : inbound.kind
    }
    expect(nameOf({ senderContactName: 'Anna from work' })).toBe('Anna from work')
    expect(nameOf({ senderName: '' })).toBe('+77001234567')
  })

  it('comes from the same customer whether the number stands in the ids or next to them', () => {
    const lid = { chatId: '112893567721673@lid', sender: '112893567721673@lid', senderName: 'Anna' }
    const ids = (more: object) => {
      const inbound = parseNotification(incoming(text, { senderData: { ...lid, ...more } }), ID)
      return inbound.kind === 'message' ? [inbound.chatId, inbound.sender.externalId] : inbound.kind
    }
    expect(ids({ senderPhoneNumber: 77001234567 })).toEqual(['77001234567@c.us', '77001234567@c.us'])
    for (const hidden of [undefined, 0, '', 'hidden']) {
      expect(ids({ senderPhoneNumber: hidden })).toEqual(['112893567721673@lid', '112893567721673@lid'])
    }
  })

  it('names all ids of the sender in addition to the best of them', () => {
    const lid = { chatId: '112893567721673@lid', sender: '112893567721673@lid', senderName: 'Anna' }
    const aliases = (more: object) => {
      const inbound = parseNotification(incoming(text, { senderData: { ...lid, ...more } }), ID)
      return inbound.kind === 'message' ? inbound.sender.aliases : inbound.kind
    }
    expect(aliases({ senderPhoneNumber: 77001234567 })).toEqual(['112893567721673@lid'])
    expect(aliases({ sender: '77001234567@c.us' })).toEqual(['112893567721673@lid'])
    expect(aliases({})).toEqual([])
  })

  it('of the account itself goes to the chat that it names, whatever the number of the sender', () => {
    const chat = { chatId: '112893567721673@lid', sender: '77000000000@c.us', senderPhoneNumber: 77000000000 }
    const own = { ...incoming(text, { senderData: chat }), typeWebhook: 'outgoingMessageReceived' }
    expect(parseNotification(own, ID)).toMatchObject({ kind: 'humanReply', chatId: '112893567721673@lid' })
  })

  it('tells what it replies to', () => {
    const reply = { typeMessage: 'quotedMessage', extendedTextMessageData: { text: 'This one' } }
    const quotedMessage = { stanzaId: 'A0', typeMessage: 'textMessage', textMessage: 'A room with a view' }
    expect(parseNotification(incoming({ ...reply, quotedMessage }), ID)).toMatchObject({
      text: 'This one',
      quoted: 'A room with a view',
      repliesTo: 'A0',
    })
  })

  it('that is changed names the one that it was', () => {
    const editedMessageData = { textMessage: 'For three', stanzaId: 'A0' }
    const body = incoming({ typeMessage: 'editedMessage', editedMessageData })
    expect(parseNotification(body, ID)).toEqual({
      kind: 'edit',
      externalKey: 'in:A1',
      chatId: '77001234567@c.us',
      externalMessageId: 'A0',
      text: 'For three',
      editedAt: 1_763_700_000_000,
    })
    // What an operator edits on the account's own phone was sent before.
    expect(parseNotification({ ...body, typeWebhook: 'outgoingMessageReceived' }, ID)).toMatchObject({
      kind: 'ignored',
    })
  })

  it.each(['reactionMessage', 'deletedMessage'])('is no %s: it has no text', (typeMessage) => {
    const deed = incoming({ typeMessage, extendedTextMessageData: { text: '👍' } })
    expect(parseNotification(deed, ID)).toMatchObject({ kind: 'ignored' })
    expect(parseNotification({ ...deed, typeWebhook: 'outgoingMessageReceived' }, ID)).toMatchObject({
      kind: 'ignored',
    })
  })

  it.each([
    ['in a group', { senderData: { ...senderData, chatId: '120363000000000000@g.us' } }],
    ['in a broadcast', { senderData: { ...senderData, chatId: 'status@broadcast' } }],
    ['without anything in it', { messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: ' ' } } }],
  ])('%s is not answered', (_, given) => {
    expect(parseNotification(incoming(text, given), ID)).toEqual({ kind: 'ignored', externalKey: 'in:A1' })
  })

  it('of another instance is not understood', () => {
    expect(parseNotification(incoming(text), '7103000002')).toMatchObject({ kind: 'unknown' })
  })
})

describe('a message past us', () => {
  it('from the phone is a reply of a person', () => {
    expect(parseNotification(incoming(text, { typeWebhook: 'outgoingMessageReceived' }), ID)).toEqual({
      kind: 'humanReply',
      externalKey: 'out:A1',
      externalMessageId: 'A1',
      chatId: '77001234567@c.us',
      text: 'Hello',
    })
  })

  it('is one without words too', () => {
    const picture = { typeMessage: 'imageMessage', fileMessageData: { caption: '' } }
    const body = incoming(picture, { typeWebhook: 'outgoingMessageReceived' })
    expect(parseNotification(body, ID)).toMatchObject({ kind: 'humanReply', text: '📎' })
    const pollMessageData = { name: 'When?', options: [{ optionName: 'Mon' }] }
    const poll = { typeMessage: 'pollMessage', pollMessageData }
    expect(parseNotification(incoming(poll, { typeWebhook: 'outgoingMessageReceived' }), ID)).toMatchObject({
      kind: 'humanReply',
      text: 'When?\n– Mon',
    })
  })

  it('that went through the API is our own echo', () => {
    const body = incoming(text, { typeWebhook: 'outgoingAPIMessageReceived' })
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

  it('of a message that is sent changes nothing: the answer to the request was enough', () => {
    expect(news('outgoingMessageStatus', { idMessage: 'A1', status: 'sent' })).toMatchObject({ kind: 'ignored' })
  })

  it('of a message that a restriction holds back is news of the account: the message has not failed', () => {
    expect(news('outgoingMessageStatus', { idMessage: 'A1', status: 'yellowCard' })).toMatchObject({
      kind: 'accountState',
      state: 'yellowCard',
      at: 1_763_700_000_000,
    })
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

  it('that the plan keeps customers from us is kept for people to see', () => {
    const quotaData = { method: 'correspondents', used: 3, total: 3, status: 'CORRESPONDENTS_QUOTA_EXCEEDED' }
    expect(news('quotaExceeded', { quotaData }).kind).toBe('unknown')
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
