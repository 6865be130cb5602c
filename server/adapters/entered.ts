// What the adapter of a messenger does beyond the contract of channels: it makes credentials from what a person has entered.
import type { ChannelAdapter } from './channel.ts'

/** What a person has entered, by the names of the fields in MESSENGERS of shared/messenger-forms.ts; checked against their patterns. */
export type Entered = Readonly<Record<string, string>>
/**
 * Made from it. `webhookSecret`: one that was entered or follows from it; left out where the caller makes one. `tail`: the secret whose
 * end people are shown.
 */
export type MadeCredentials = { token: string; webhookSecret?: string; tail: string }

/** A messenger: its accounts are connected by what a person copies from the provider's own pages. */
export type EnteredChannel = ChannelAdapter & {
  credentialsFrom(entered: Entered): MadeCredentials
  /** The credentials with what was entered instead; what was not entered stays, and `tail` is left out when no other secret was. */
  withEntered(token: string, entered: Entered): Omit<MadeCredentials, 'tail'> & { tail?: string }
  /** What a person enters beside the address so that the provider delivers; left out where it learns the address itself. */
  verifyToken?(token: string): string
}
