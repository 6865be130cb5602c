// Messages that a customer has forwarded: whose words they are, and which part of a text is the customer's own.

/**
 * A forwarded message. `from`: its author, as the messenger names them; null: not reported. `length`: how many characters (code points) at
 * the end of the text are forwarded; the customer has written what precedes them. Attachments are forwarded too.
 */
export type Forward = { from: string | null; length: number }

/** Characters of all names. */
const NAMES_LENGTH = 200

/**
 * A forwarded message.
 *
 * @param names whose the messages were, null where the messenger does not tell
 * @param forwarded what is forwarded at the end of the text
 */
export function forwardOf(names: (string | null | undefined)[], forwarded: string): Forward {
  const known = [...new Set(names.map((name) => name?.replace(/\s+/g, ' ').trim()).filter(Boolean))]
  return { from: known.join(', ').slice(0, NAMES_LENGTH).toWellFormed() || null, length: [...forwarded].length }
}

/** The customer's own words of a text, and those that are forwarded in it; either may be empty. */
export function splitForward(text: string, forward: Forward | null | undefined): { own: string; forwarded: string } {
  if (!forward) return { own: text, forwarded: '' }
  const characters = [...text]
  const at = Math.max(0, characters.length - forward.length)
  return { own: characters.slice(0, at).join('').trim(), forwarded: characters.slice(at).join('').trim() }
}
