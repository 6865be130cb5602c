// The words of a WhatsApp message: what was typed, written below a file, or chosen by a button.
// @source green-api.com/en/docs/api/receiving/notifications-format/incoming-message, /selected-buttons, ../common-errors
import { z } from 'zod'
import { attachmentFields } from './green-api.attachments.ts'

const words = z.string().optional().catch(undefined)
const withContent = z.object({ contentText: words }).optional().catch(undefined)

/** The fields of `messageData` that words are read from. */
export const textFields = {
  textMessageData: z.object({ textMessage: z.string() }).optional(),
  extendedTextMessageData: attachmentFields.extendedTextMessageData,
  fileMessageData: attachmentFields.fileMessageData,
  buttonsResponseMessage: z.object({ selectedButtonText: words }).optional().catch(undefined),
  templateButtonReplyMessage: z.object({ selectedDisplayText: words }).optional().catch(undefined),
  listResponseMessage: z.object({ title: words }).optional().catch(undefined),
  // What another program has sent, with buttons below it.
  buttonsMessage: withContent,
  listMessage: withContent,
  templateMessage: withContent,
  interactiveButtons: withContent,
}
const fields = z.object(textFields)

/** GREEN-API's placeholder for text that the phone has not passed on to it: the customer did write something. */
const MARK = /^\{\{(SWE\d+)\}\}$/

/** Empty for a message without text. */
export function textOf(message: z.infer<typeof fields>): string {
  const text = whollyOf(message)
  return MARK.test(text) ? '' : text
}

/** GREEN-API's code for why the text is missing; null: it is not missing. */
export function unreadMarkOf(message: z.infer<typeof fields>): string | null {
  return MARK.exec(whollyOf(message))?.[1] ?? null
}

function whollyOf(message: z.infer<typeof fields>): string {
  const { textMessageData, extendedTextMessageData, fileMessageData } = message
  const typed = textMessageData?.textMessage ?? extendedTextMessageData?.text ?? fileMessageData?.caption
  const { buttonsResponseMessage, templateButtonReplyMessage, listResponseMessage } = message
  const chosen =
    buttonsResponseMessage?.selectedButtonText ??
    templateButtonReplyMessage?.selectedDisplayText ??
    listResponseMessage?.title
  const { buttonsMessage, listMessage, templateMessage, interactiveButtons } = message
  const above = buttonsMessage ?? listMessage ?? templateMessage ?? interactiveButtons
  return (typed ?? chosen ?? above?.contentText ?? '').trim()
}
