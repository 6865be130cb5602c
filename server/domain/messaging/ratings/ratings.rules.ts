// What a customer's message says to the question what they thought of the help: a rating only where it can be nothing else. Pure.
import type { InboundMessage } from '../inbound/receive.store.ts'

type Said = Pick<
  InboundMessage,
  'text' | 'attachments' | 'pressed' | 'callsPerson' | 'repliesTo' | 'quoted' | 'saidAt' | 'isPiece' | 'forwarded'
>

/** What was asked last in a conversation, and what has happened since. */
export type Asked = {
  /** By which the channel names the question; null: it has surely or perhaps not been sent. */
  questionId: string | null
  /** When it was sent, by our clock. */
  sentAt: number
  /** Not too long ago. */
  isFresh: boolean
  /** The conversation is still ended, nobody of the team has written since, and no answer was begun. */
  isQuiet: boolean
  /** Nobody has said anything since. */
  isLast: boolean
  /** What was said before it, since the customer wrote, lists things by number, so that a number may mean one of them. */
  isAfterList: boolean
  /** The same of the thanks for the rating; null: it was not thanked for, or not lately. */
  thanksId: string | null
}

/** Whether it is worth looking what was asked. */
export function mayAnswer(said: Said, hasButtons: boolean): boolean {
  return said.repliesTo !== undefined || (!hasButtons && numberOf(said) !== null)
}

/** The score that a message gives where there are no buttons; null: it is a message like any other. */
export function scoreOf(said: Said, asked: Asked): number | null {
  const score = numberOf(said)
  if (score === null || asked.questionId === null || !asked.isFresh || !asked.isQuiet) return null
  if (said.repliesTo !== undefined) return said.repliesTo === asked.questionId ? score : null
  if (said.quoted !== undefined || !asked.isLast || asked.isAfterList) return null
  return said.saidAt !== undefined && said.saidAt < inWholeSeconds(asked.sentAt) ? null : score
}

/** What a message says to the rating, which it replies to; null: nothing. It is answered like any other either way. */
export function commentOf(
  { text, pressed, callsPerson, repliesTo, forwarded }: Said,
  { thanksId }: Asked,
): string | null {
  if (forwarded || pressed || callsPerson || repliesTo === undefined || repliesTo !== thanksId) return null
  return text.trim() || null
}

/** A list by number, as agents offer choices where there are no buttons, and as people write one. */
export function listsByNumber(text: string): boolean {
  return /^\s*[1-5]\s*[.):–—-]\s+\S/m.test(text)
}

/** A number from 1 to 5 and nothing else. */
function numberOf({ text, attachments, pressed, callsPerson, isPiece, forwarded }: Said): number | null {
  if (pressed || callsPerson || isPiece || forwarded || (attachments?.length ?? 0) > 0) return null
  const [, digit] = /^\s*([1-5])\s*$/.exec(text) ?? []
  return digit === undefined ? null : Number(digit)
}

/** Providers tell seconds. */
function inWholeSeconds(at: number): number {
  return Math.floor(at / 1000) * 1000
}
