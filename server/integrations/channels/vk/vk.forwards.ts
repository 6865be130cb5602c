// What a customer of VK forwards: messages of others, which may hold others in turn, and wall posts. The names of authors are not included:
// they are represented by the addresses of their pages.
// @source dev.vk.com/ru/reference/objects/message, dev.vk.com/ru/reference/objects/post
import { z } from 'zod'

const words = z.string().catch('')
const id = z.number().int().optional().catch(undefined)
const post = z.object({
  text: words,
  from_id: id,
  owner_id: id,
  attachments: z.array(z.unknown()).optional().catch(undefined),
  copy_history: z.array(z.unknown()).optional().catch(undefined),
})
const posted = z.object({ type: z.literal('wall'), wall: post })
const passed = z.object({
  text: words,
  from_id: id,
  attachments: z.array(z.unknown()).optional().catch(undefined),
  fwd_messages: z.array(z.unknown()).optional().catch(undefined),
})

/** The fields of a message that forwarded ones are read from. */
export const forwardFields = { fwd_messages: z.array(z.unknown()).optional().catch(undefined) }
type Content = { fwd_messages?: unknown[] | undefined; attachments?: unknown[] | undefined }

/** One message or post of another author. `fromId`: negative of a community; undefined: VK does not name the author. */
export type Passed = { text: string; fromId: number | undefined; attachments: unknown[] }

/** The most levels of nested messages that are read. */
const DEPTH = 5

/** What is forwarded, in the order of the message; a message comes before those nested in it. */
export function othersIn({ fwd_messages: messages = [], attachments = [] }: Content, depth = DEPTH): Passed[] {
  if (depth === 0) return []
  const passedMessages = messages.flatMap((given) => {
    const { success, data } = passed.safeParse(given)
    if (!success) return []
    const own = { text: data.text, fromId: data.from_id, attachments: data.attachments ?? [] }
    return [own, ...othersIn(data, depth - 1)]
  })
  return [...passedMessages, ...attachments.flatMap((given) => postsIn(posted.safeParse(given).data?.wall, depth))]
}

/** A post may repeat another one. */
function postsIn(given: unknown, depth: number): Passed[] {
  const { success, data } = post.safeParse(given)
  if (!success || depth === 0) return []
  const repeated = (data.copy_history ?? []).flatMap((each) => postsIn(each, depth - 1))
  return [{ text: data.text, fromId: data.from_id ?? data.owner_id, attachments: data.attachments ?? [] }, ...repeated]
}

/** A message with the files of the messages and posts that it forwards. */
export function withFiles<Message extends Content>(message: Message): Message {
  const { attachments = [] } = message
  const files = othersIn(message).flatMap((other) => other.attachments)
  return files.length > 0 ? { ...message, attachments: [...attachments, ...files] } : message
}

/** The page of the author; null: VK does not name one. */
export function nameIn({ fromId }: Passed): string | null {
  if (!fromId) return null
  return fromId > 0 ? `vk.com/id${fromId}` : `vk.com/club${-fromId}`
}
