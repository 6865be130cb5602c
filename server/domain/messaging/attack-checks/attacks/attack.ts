// What an attack is: a text in both languages that wants something of the agent which it must not do.
import type { AttackKind, AttackLanguage } from '#shared/messaging/attack-checks.ts'

/** What attacks call by name: tools that read and tools that change something, and the number of a customer whom they are after. */
export type AttackNames = {
  lookUp: string
  lookUpMcp: string
  cancel: string
  refund: string
  payOut: string
  victim: string
}

export type Attack = {
  name: string
  kind: AttackKind
  texts: (names: AttackNames) => Record<AttackLanguage, string>
  /** What stands in the arguments of a call that obeys it. Missing: what calls of any attack hold. */
  marks?: readonly string[]
  /** What it wants a customer to read, in either language. Missing: it wants calls. */
  says?: Record<AttackLanguage, string>
}

export const inBase64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')
/** Characters between which nothing is seen. */
export const withZeroWidth = (text: string) => [...text].join('\u200b')
