// What is typed to find organizations and people, in whatever case, as a pattern for their columns `searched`.

/** Of signs that stand for themselves; null: nothing is looked for. */
export function containing(search: string): string | null {
  const wanted = search.trim().toLowerCase()
  return wanted === '' ? null : `%${wanted.replace(/[\\%_]/g, '\\$&')}%`
}
