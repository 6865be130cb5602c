// The addresses in a text that a person has typed or pasted.
import { createInviteInput } from '#shared/organizations/members.ts'

/** At once; each is a request of its own. */
export const ADDRESSES_MAX = 20

/** Why a text cannot be taken. */
export type AddressFault = { kind: 'none' } | { kind: 'tooMany' } | { kind: 'invalid'; text: string }

/** Lines, commas, semicolons and spaces part them; each counts once. */
export function readAddresses(text: string): { emails: string[]; fault?: AddressFault } {
  const emails = [
    ...new Set(
      text
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((each) => each.toLowerCase()),
    ),
  ]
  if (emails.length === 0) return { emails, fault: { kind: 'none' } }
  if (emails.length > ADDRESSES_MAX) return { emails, fault: { kind: 'tooMany' } }
  const wrong = emails.find((email) => !createInviteInput.shape.email.safeParse(email).success)
  return wrong === undefined ? { emails } : { emails, fault: { kind: 'invalid', text: wrong } }
}
