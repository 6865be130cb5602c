// The address of an answer on Telegram, as the one word by which the rest of the product names a chat:
// `4242` a chat, `-100123/7` a topic of a group, `4242@abc` a chat of the business account behind the business connection `abc`.
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'

/** A chat as the Bot API names it in a call. */
export type TelegramChat = { chat_id: number; message_thread_id?: number; business_connection_id?: string }

const ADDRESS = /^(-?\d+)(?:\/(\d+))?(?:@([\w-]+))?$/

/** The chat in one word. Ids of Telegram have at most 52 bits. */
export function addressOf({
  chat_id: chat,
  message_thread_id: thread,
  business_connection_id: business,
}: TelegramChat) {
  return `${chat}${thread === undefined ? '' : `/${thread}`}${business === undefined ? '' : `@${business}`}`
}

/** The chat behind an address. @throws AdapterError `permanent` for an invalid address */
export function chatOf(address: string): TelegramChat {
  const [, chat, thread, business] = ADDRESS.exec(address) ?? []
  if (chat === undefined) throw new AdapterError('permanent', 'this is no address of a Telegram chat')
  return {
    chat_id: Number(chat),
    ...(thread !== undefined && { message_thread_id: Number(thread) }),
    ...(business !== undefined && { business_connection_id: business }),
  }
}
