// What a customer's message says to the question what they thought of the help. Pure.
import type { InboundMessage } from './receive.store.ts'

type Said = Pick<InboundMessage, 'text' | 'attachments' | 'pressed' | 'callsPerson'>

/** A number from 1 to 5 and nothing else; null: anything else, which is a message like any other. */
export function scoreOf({ text, attachments, callsPerson }: Said): number | null {
  if (callsPerson || (attachments?.length ?? 0) > 0) return null
  const [, digit] = /^\s*([1-5])\s*$/.exec(text) ?? []
  return digit === undefined ? null : Number(digit)
}

/** Words that may be about a rating given just before; null: a question, a file, a press. They are answered like any other message. */
export function commentOf({ text, attachments, pressed, callsPerson }: Said): string | null {
  if (callsPerson || pressed || (attachments?.length ?? 0) > 0 || /[?？]/.test(text)) return null
  return text.trim() || null
}
