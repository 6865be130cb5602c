/** What a person has entered, by the names of the fields in the form of its manifest; checked against their patterns. */
export type Entered = Readonly<Record<string, string>>
/**
 * Made from it. `webhookSecret`: one that was entered or follows from it; left out where the caller makes one. `tail`: the secret whose
 * end people are shown.
 */
export type MadeCredentials = { token: string; webhookSecret?: string; tail: string }
