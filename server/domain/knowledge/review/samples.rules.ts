// Which of a space's names become the questions that the tester begins with. Pure.
import path from 'node:path'
import type { Names } from './samples.store.ts'

/** Questions that are offered. */
export const SAMPLES = 5
/** Notes go first, as people have worded them; some room is left for documents. */
const NOTES_FIRST = 3
/** Characters; a longer heading is a paragraph by mistake. */
const LONGEST = 120

/** At most SAMPLES, no two the same. */
export function samplesOf({ notes, headings, documents }: Names): string[] {
  const titles = documents.map((name) => path.parse(name).name.replaceAll('_', ' '))
  const inOrder = [...notes.slice(0, NOTES_FIRST), ...headings, ...titles, ...notes.slice(NOTES_FIRST)]
  const seen = new Map<string, string>()
  for (const name of inOrder.map((each) => each.trim())) {
    const key = name.toLowerCase()
    if (name !== '' && name.length <= LONGEST && !seen.has(key)) seen.set(key, name)
  }
  return [...seen.values()].slice(0, SAMPLES)
}
