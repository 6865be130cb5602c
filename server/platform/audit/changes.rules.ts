// What differs between two states of a thing, as the audit trail records it.

/** The values that differ, before and after; of all names of `after`. */
export function changesOf(
  before: object,
  after: object,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const earlier = before as Record<string, unknown>
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(earlier[name]) !== JSON.stringify(value),
  )
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, earlier[name] ?? null])),
    after: Object.fromEntries(changed),
  }
}
