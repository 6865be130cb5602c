// The shape of Telegram's updates, as far as we read them. A malformed optional field does not invalidate the rest.
// @source core.telegram.org/bots/api#update, #message, #callbackquery, #businessconnection
import { z } from 'zod'
import { attachmentFields } from './telegram.attachments.ts'
import { forwardFields } from './telegram.forwards.ts'

const user = z.object({
  id: z.number(),
  is_bot: z.boolean().optional(),
  first_name: z.string(),
  last_name: z.string().optional(),
  username: z.string().optional(),
  language_code: z.string().optional(),
})
const chat = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string().optional().catch(undefined),
  username: z.string().optional().catch(undefined),
})
const entities = z
  .array(z.object({ type: z.string(), offset: z.number().int(), length: z.number().int() }))
  .optional()
  .catch(undefined)
const repliedTo = z.object({
  message_id: z.number(),
  from: z.object({ id: z.number() }).optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
})
/** The place of a message within its chat. */
const place = {
  chat,
  message_thread_id: z.number().int().optional().catch(undefined),
  is_topic_message: z.boolean().optional().catch(undefined),
  business_connection_id: z.string().optional().catch(undefined),
}
const message = z.object({
  message_id: z.number(),
  ...place,
  from: user.optional(),
  sender_chat: chat.optional().catch(undefined),
  author_signature: z.string().optional().catch(undefined),
  text: z.string().optional(),
  caption: z.string().optional(),
  entities,
  caption_entities: entities,
  date: z.number().optional().catch(undefined),
  edit_date: z.number().optional().catch(undefined),
  media_group_id: z.string().optional().catch(undefined),
  reply_to_message: repliedTo.optional().catch(undefined),
  quote: z.object({ text: z.string() }).optional().catch(undefined),
  sender_business_bot: z.object({ id: z.number() }).optional().catch(undefined),
  is_from_offline: z.boolean().optional().catch(undefined),
  migrate_to_chat_id: z.number().optional().catch(undefined),
  migrate_from_chat_id: z.number().optional().catch(undefined),
  /** Data that a mini app sends on behalf of the customer who opened it with a button. */
  web_app_data: z
    .object({ data: z.string(), button_text: z.string().catch('') })
    .optional()
    .catch(undefined),
  ...attachmentFields,
  ...forwardFields,
})
const button = z.object({ text: z.string(), callback_data: z.string().optional() })
const tap = z.object({
  id: z.string(),
  from: user,
  data: z.string().optional().catch(undefined),
  message: z
    .object({
      message_id: z.number(),
      ...place,
      reply_markup: z
        .object({ inline_keyboard: z.array(z.array(button)) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

const businessConnection = z.object({
  id: z.string(),
  user,
  date: z.number(),
  is_enabled: z.boolean(),
  rights: z.object({ can_reply: z.boolean().optional() }).optional().catch(undefined),
  /** From Bot API servers before 9.0, which had no `rights`. */
  can_reply: z.boolean().optional().catch(undefined),
})

/** An update with the kinds that we handle. */
export const update = z.object({
  update_id: z.number().int(),
  message: message.optional(),
  edited_message: message.optional(),
  business_connection: businessConnection.optional(),
  business_message: message.optional(),
  edited_business_message: message.optional(),
  callback_query: tap.optional(),
})

export type TelegramUser = z.infer<typeof user>
export type TelegramPlace = Pick<TelegramMessage, keyof typeof place>
export type TelegramMessage = z.infer<typeof message>
/** A press of a button under a message. */
export type TelegramTap = z.infer<typeof tap>

/** The owner of a business account has connected the bot, removed it, or changed its rights. */
export type TelegramBusiness = z.infer<typeof businessConnection>

/** Kinds of updates that we handle; Telegram does not send the others. */
export const ALLOWED_UPDATES = [
  'message',
  'edited_message',
  'business_connection',
  'business_message',
  'edited_business_message',
  'callback_query',
  'my_chat_member',
] as const

/** Known kinds of updates that need no handling. */
export const KNOWN_KINDS = [
  ...ALLOWED_UPDATES,
  'channel_post',
  'edited_channel_post',
  'deleted_business_messages',
  'chat_member',
  'chat_join_request',
  'message_reaction',
  'message_reaction_count',
  'inline_query',
  'poll',
  'poll_answer',
]
