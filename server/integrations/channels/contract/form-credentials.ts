/** The entered fields, by their names in the form of the manifest; checked against their patterns. */
export type Entered = Readonly<Record<string, string>>
/**
 * Derived from the entered fields. `webhookSecret`: entered, or derived from them; left out where the caller generates one. `tail`: the
 * secret whose last characters users see.
 */
export type MadeCredentials = { token: string; webhookSecret?: string; tail: string }
