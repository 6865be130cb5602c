// What people do in Telegram besides writing to a bot: change a message, reply, send albums, talk in groups, write to a business.
// Each makes the update; `push` of the fake brings it to the bot.

import type { Customer, SentMessage, TelegramState } from './telegram.ts'
import type { Update } from './telegram-methods.ts'

type Fields = Record<string, unknown>
/** An update whose message others refer to. */
export type Said = Update & { message: Fields & { message_id: number } }

/** A message of a private chat with any fields in addition to or instead of its text. */
export function says(
  telegram: TelegramState,
  token: string,
  from: Customer | number,
  text: string,
  more: Fields = {},
): Said {
  const update = telegram.textUpdate(token, from, text) as Said
  return { ...update, message: { ...update.message, ...more } }
}

/** The customer edits a message, in any kind of chat. */
export function edits(telegram: TelegramState, token: string, sent: Update, text: string): Update {
  const [kind, message] = (Object.entries(sent) as [string, unknown][]).find(([name]) => name.endsWith('message')) ?? []
  const changed = { ...(message as Fields), text, edit_date: Math.floor(Date.now() / 1000) }
  return telegram.update(token, { [`edited_${kind}`]: changed })
}

/** Pictures that are sent together: an update for each, with the words under the first. */
export function sendsAlbum(
  telegram: TelegramState,
  token: string,
  from: number,
  caption: string,
  pictures: number,
): Update[] {
  const media_group_id = `album${telegram.bot(token).nextMessageId}`
  return Array.from({ length: pictures }, (_, at) => {
    const { message, ...update } = says(telegram, token, from, '')
    const { text: _text, ...rest } = message
    const photo = [{ file_id: `picture${at}`, width: 90, height: 60 }]
    return { ...update, message: { ...rest, media_group_id, photo, ...(at === 0 && { caption }) } }
  })
}

/** A group in which the bot is; `topic` where the group has them. */
export type Group = { id: number; title: string; topic?: number }

/** A member writes in a group. A name that stands in the text with an @ is marked as a mention. */
export function saysInGroup(
  telegram: TelegramState,
  token: string,
  group: Group,
  { chatId: id, firstName = 'Customer' }: Customer,
  { text, ...more }: Fields & { text: string },
): Said {
  const bot = telegram.bot(token)
  bot.knownChats.add(String(group.id))
  if (group.topic !== undefined) telegram.topics.add(`${group.id}/${group.topic}`)
  const mentions = [...text.matchAll(/(?<!\w)@\w+/g)]
  return telegram.update(token, {
    message: {
      message_id: bot.nextMessageId++,
      date: Math.floor(Date.now() / 1000),
      chat: { id: group.id, type: 'supergroup', title: group.title },
      from: { id, is_bot: false, first_name: firstName, language_code: 'en' },
      text,
      ...(mentions.length > 0 && {
        entities: mentions.map(({ index, 0: name }) => ({ type: 'mention', offset: index, length: name.length })),
      }),
      ...(group.topic !== undefined && { message_thread_id: group.topic, is_topic_message: true }),
      ...more,
    },
  }) as Said
}

/** A customer, or `by`, presses a button under a message of the bot, in `group` if given. @returns the press, the key to its answer */
export function presses(
  telegram: TelegramState,
  { token, chatId, messageId, text, buttons }: SentMessage,
  label: string,
  {
    firstName = 'Customer',
    language = 'en',
    by = Number(chatId),
    group,
  }: Omit<Customer, 'chatId'> & { by?: number; group?: Group } = {},
): string {
  const button = buttons?.flat().find((each) => each.text === label)
  if (!button) throw new Error(`there is no button ${label} under the message`)
  const id = `press${telegram.presses.size + 1}`
  telegram.presses.set(id, 'open')
  const chat = group
    ? { id: group.id, type: 'supergroup', title: group.title }
    : { id: Number(chatId), type: 'private', first_name: firstName }
  const place = group?.topic === undefined ? { chat } : { chat, message_thread_id: group.topic, is_topic_message: true }
  const update = telegram.update(token, {
    callback_query: {
      id,
      from: { id: by, is_bot: false, first_name: firstName, language_code: language },
      chat_instance: String(chatId),
      message: { message_id: messageId, date: 1, ...place, text, reply_markup: { inline_keyboard: buttons } },
      data: button.callback_data,
    },
  })
  telegram.push(token, update)
  return id
}

/**
 * The owner of a business account connects the bot, removes it, or changes what it may do. Connecting it again gives another id.
 * @source core.telegram.org/bots/api#businessconnection
 */
export function setsUpBusiness(
  telegram: TelegramState,
  token: string,
  business: { id: string; ownerId: number; ownerName?: string },
  { isEnabled = true, canReply = true }: { isEnabled?: boolean; canReply?: boolean } = {},
): Update {
  const { businesses } = telegram.bot(token)
  const date = businesses.get(business.id)?.date ?? Math.floor(Date.now() / 1000)
  businesses.set(business.id, { ownerId: business.ownerId, date, isEnabled, canReply })
  return telegram.update(token, {
    business_connection: {
      id: business.id,
      user: { id: business.ownerId, is_bot: false, first_name: business.ownerName ?? 'Owner' },
      user_chat_id: business.ownerId,
      date,
      is_enabled: isEnabled,
      ...(isEnabled && { rights: { can_read_messages: true, ...(canReply && { can_reply: true }) } }),
    },
  })
}

/** A message in a chat of a business account that has connected the bot: from the customer, or from the owner bypassing the bot. */
export function saysToBusiness(
  telegram: TelegramState,
  token: string,
  business: { id: string; ownerId: number },
  chat: { customerId: number; by: 'customer' | 'owner' },
  text: string,
): Update {
  const bot = telegram.bot(token)
  if (!bot.businesses.has(business.id)) {
    bot.businesses.set(business.id, { ownerId: business.ownerId, date: 1, isEnabled: true, canReply: true })
  }
  bot.knownChats.add(String(chat.customerId))
  const id = chat.by === 'customer' ? chat.customerId : business.ownerId
  return telegram.update(token, {
    business_message: {
      message_id: bot.nextMessageId++,
      business_connection_id: business.id,
      date: Math.floor(Date.now() / 1000),
      chat: { id: chat.customerId, type: 'private', first_name: 'Customer' },
      from: { id, is_bot: false, first_name: chat.by },
      text,
    },
  })
}

/** A week without messages: updates not fetched within a day are gone, and their numbering starts anywhere, here at `at`. */
export function quietWeek(telegram: TelegramState, token: string, at: number): void {
  const bot = telegram.bot(token)
  bot.pending = []
  bot.nextUpdateId = at
}
