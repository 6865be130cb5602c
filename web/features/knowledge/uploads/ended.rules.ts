// Which work has come to an end between two looks at it.
import type { Work, WorkEntry } from './work.rules.ts'

/**
 * What somebody has ended is no news to them. Without an earlier look nothing is news but what is awaited.
 *
 * @param awaited - keys of work that this page has begun and told nothing of: it may end before it was seen unfinished
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
