// The origin of a forwarded Telegram message, in the format of any version of the Bot API.
// @source core.telegram.org/bots/api#messageorigin; before 7.0: forward_from and the like
import { z } from 'zod'
import { type Forward, forwardOf } from '#shared/messaging/forwards.ts'

const words = z.string().optional().catch(undefined)
const person = z.object({ first_name: z.string(), last_name: words, username: words }).optional().catch(undefined)
const place = z.object({ title: words, username: words }).optional().catch(undefined)

/** The fields of a message that its origin is read from. A malformed one still marks the message as forwarded. */
export const forwardFields = {
  forward_origin: z
    .object({
      sender_user: person,
      sender_user_name: words,
      sender_chat: place,
      chat: place,
      author_signature: words,
    })
    .optional()
    .catch({}),
  forward_from: person,
  forward_from_chat: place,
  forward_sender_name: words,
  forward_signature: words,
  forward_date: z.unknown().optional(),
}
const fields = z.object(forwardFields)

/** Null: the message is the sender's own. @param text of the message, all of which is forwarded */
export function telegramForward(message: z.infer<typeof fields>, text: string): Forward | null {
  const { forward_origin: origin, forward_from: from, forward_from_chat: chat, forward_sender_name: name } = message
  const isForwarded = [origin, from, chat, name, message.forward_date].some((given) => given !== undefined)
  if (!isForwarded) return null
  const source = origin
    ? (personName(origin.sender_user) ??
      origin.sender_user_name ??
      placeName(origin.sender_chat ?? origin.chat, origin.author_signature))
    : (placeName(chat, message.forward_signature) ?? personName(from) ?? name)
  return forwardOf([source], text)
}

function personName(given: z.infer<typeof person>): string | undefined {
  if (!given) return undefined
  const name = [given.first_name, given.last_name].filter(Boolean).join(' ').trim()
  const handle = given.username ? `@${given.username}` : ''
  return name && handle ? `${name} (${handle})` : name || handle || undefined
}

function placeName(given: z.infer<typeof place>, signature: string | undefined): string | undefined {
  const title = given?.title || (given?.username ? `@${given.username}` : '')
  return [title, signature].filter(Boolean).join(', ') || undefined
}
