// The pages on which a passage stands, as they are written to models and by them.
import type { Passage } from './llm.ts'

/** "4", or "4–5" for a passage that runs over; null where there are no pages. */
export function pagesOf({ page, lastPage }: Pick<Passage, 'page' | 'lastPage'>): string | null {
  if (page === null) return null
  return lastPage && lastPage !== page ? `${page}–${lastPage}` : String(page)
}
