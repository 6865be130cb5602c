// How the server begins what it says when a provider does not tell of an account at all.

/** Whether this is why nothing comes: a person has to look into it at the provider. */
export function isUnsubscribed(reason: string | null): boolean {
  return reason?.startsWith('unsubscribed:') ?? false
}
