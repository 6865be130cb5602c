// Which work has finished between two snapshots.
import type { Work, WorkEntry } from './work.rules.ts'

/**
 * Work that a user has cancelled is not reported. Without an earlier snapshot only awaited work is.
 *
 * @param awaited - keys of work started by this page and not reported yet: it may finish before it was seen unfinished
 */
export function endedSince(
  before: Work | undefined,
  now: Work,
  awaited: ReadonlySet<string>,
): { ready: WorkEntry[]; failed: WorkEntry[] } {
  const wasUnfinished = new Map(before?.unfinished.map(({ key, step }) => [key, step]))
  // A table whose import was cancelled is as ready as before it.
  const isAsBefore = ({ key, progress }: WorkEntry) => wasUnfinished.get(key) === 'importing' && progress === null
  const ended = now.ended.filter(
    (entry) => awaited.has(entry.key) || (wasUnfinished.has(entry.key) && !isAsBefore(entry)),
  )
  return {
    ready: ended.filter(({ outcome }) => outcome === 'ready'),
    failed: ended.filter(({ outcome }) => outcome === 'failed'),
  }
}
