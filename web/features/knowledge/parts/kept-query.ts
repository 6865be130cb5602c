// The page that the user came from, kept in the address across the pages of knowledge.

const KEPT = ['from', 'agentId', 'orgId', 'feature']

/** The query for a link within knowledge, with its question mark; empty when there is nothing to keep. */
export function keptQuery(search: string, added: Record<string, string> = {}): string {
  const present = new URLSearchParams(search)
  const kept = new URLSearchParams(added)
  for (const name of KEPT) {
    const value = present.get(name)
    if (value) kept.set(name, value)
  }
  const query = kept.toString()
  return query && `?${query}`
}
