// Reads a customer's message as a rating or a comment to one, only where it can be nothing else. Pure.
import type { InboundMessage } from '#server/integrations/channels/contract/inbound.ts'

type Message = Pick<
  InboundMessage,
  'text' | 'attachments' | 'pressed' | 'callsPerson' | 'repliesTo' | 'quoted' | 'sentAt' | 'isPiece' | 'forwarded'
>

/** The last rating question of a conversation, and what has happened since. */
export type Asked = {
  /** External id of the question; null unless it is known to be sent. */
  questionId: string | null
  /** When it was first tried to be sent, by our clock; milliseconds since the epoch. */
  sentAt: number
  /** Asked recently enough to be answered. */
  isFresh: boolean
  /** The conversation is still ended, no operator has written since, and no turn was begun. */
  isQuiet: boolean
  /** No one has written since. */
  isLast: boolean
  /** A message before it, since the customer's last one, is a numbered list, so that a number may mean an item of it. */
  isAfterList: boolean
  /** External id of the thanks for the rating; null when none were sent, or not recently. */
  thanksId: string | null
}

/** Whether the message may answer a rating question, so that reading the last one is worthwhile. */
export function mayAnswer(message: Message, hasButtons: boolean): boolean {
  return message.repliesTo !== undefined || (!hasButtons && numberOf(message) !== null)
}

/** The score in a message, on channels without buttons; null for any other message. */
export function scoreOf(message: Message, asked: Asked): number | null {
  const score = numberOf(message)
  if (score === null || asked.questionId === null || !asked.isFresh || !asked.isQuiet) return null
  if (message.repliesTo !== undefined) return message.repliesTo === asked.questionId ? score : null
  if (message.quoted !== undefined || !asked.isLast || asked.isAfterList) return null
  return message.sentAt !== undefined && message.sentAt < inWholeSeconds(asked.sentAt) ? null : score
}

/** The comment in a reply to the thanks for a rating; null for other messages. Either way the message is answered as usual. */
export function commentOf(
  { text, pressed, callsPerson, repliesTo, forwarded }: Message,
  { thanksId }: Asked,
): string | null {
  if (forwarded || pressed || callsPerson || repliesTo === undefined || repliesTo !== thanksId) return null
  return text.trim() || null
}

/** Whether a text has a numbered list, as agents offer choices on channels without buttons, and as people write one. */
export function listsByNumber(text: string): boolean {
  return /^\s*[1-5]\s*[.):–—-]\s+\S/m.test(text)
}

/** The number from 1 to 5 that is the whole message; null otherwise. */
function numberOf({ text, attachments, pressed, callsPerson, isPiece, forwarded }: Message): number | null {
  if (pressed || callsPerson || isPiece || forwarded || (attachments?.length ?? 0) > 0) return null
  const [, digit] = /^\s*([1-5])\s*$/.exec(text) ?? []
  return digit === undefined ? null : Number(digit)
}

/** Providers send times in whole seconds. */
function inWholeSeconds(at: number): number {
  return Math.floor(at / 1000) * 1000
}
