// Whether a database may be brought up to date by this version: what it has been through must be the beginning of what this version knows.

/**
 * Why the database must not be migrated, for the administrator; null: it may.
 *
 * @param executed names of migrations in the database
 * @param known names of this version's, in order
 */
export function historyProblem(executed: readonly string[], known: readonly string[]): string | null {
  const last = known.at(-1) ?? ''
  const unknown = executed.filter((name) => !known.includes(name)).sort()
  const newest = executed.toSorted().at(-1) ?? ''
  const skipped = known.filter((name) => name < newest && !executed.includes(name))
  if (unknown.length > 0 && skipped.length === 0 && unknown.every((name) => name > last)) {
    return [
      `The database was brought up to date by a newer version of Parley: it has ${listOf(unknown)}, and this version ends with ${last}.`,
      'Start that version again, or restore a backup that was made before the update and start this version on it.',
    ].join('\n')
  }
  if (unknown.length === 0 && skipped.length === 0) return null
  return [
    'The database was used by a version of Parley that this one does not follow, for example one that was never released:',
    ...(unknown.length > 0 ? [`  it has ${listOf(unknown)}, which this version does not know;`] : []),
    ...(skipped.length > 0 ? [`  it lacks ${listOf(skipped)}, and has later changes.`] : []),
    'Start that version again, or restore a backup that was made before it was used and start this version on it.',
  ].join('\n')
}

const NAMED_MAX = 3

function listOf(names: readonly string[]): string {
  const rest = names.length - NAMED_MAX
  return rest > 0 ? `${names.slice(0, NAMED_MAX).join(', ')} and ${rest} more` : names.join(', ')
}
