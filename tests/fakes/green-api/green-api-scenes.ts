// What people do in WhatsApp besides writing to a number. Each makes the notification; `notify` of the fake brings it to the instance.
import type { GreenApiState, Notification, SentMessage } from './green-api.ts'

/** A customer replies to a message that they were sent. */
export function repliesTo(
  greenApi: GreenApiState,
  idInstance: string,
  from: { phone: string; name?: string },
  text: string,
  to: SentMessage,
): Notification {
  const quoted = { stanzaId: to.idMessage, participant: `${greenApi.instance(idInstance).phone}@c.us` }
  return {
    ...greenApi.textMessage(idInstance, from, text),
    messageData: {
      typeMessage: 'quotedMessage',
      extendedTextMessageData: { text, ...quoted },
      quotedMessage: { ...quoted, typeMessage: 'textMessage', textMessage: to.text },
    },
  }
}

/** A customer edits the message with this id. */
export function edits(
  greenApi: GreenApiState,
  idInstance: string,
  from: { phone: string; name?: string },
  stanzaId: string,
  text: string,
): Notification {
  const editedMessageData = { textMessage: text, stanzaId }
  return {
    ...greenApi.textMessage(idInstance, from, ''),
    messageData: { typeMessage: 'editedMessage', editedMessageData },
  }
}

/** The notification of a message from a sender behind an id of WhatsApp's own; `phone`: their number, where it is included. */
export function saysHidden(
  greenApi: GreenApiState,
  idInstance: string,
  { lid, phone, name = 'Anna' }: { lid: string; phone?: string; name?: string },
  text: string,
): Notification {
  const body = greenApi.textMessage(idInstance, { phone: '0', name }, text)
  const senderData = {
    ...{ chatId: `${lid}@lid`, sender: `${lid}@lid`, chatName: name, senderName: name },
    ...(phone !== undefined && { senderPhoneNumber: Number(phone) }),
  }
  return { ...body, senderData }
}
