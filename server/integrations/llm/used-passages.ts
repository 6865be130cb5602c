// Which of the offered passages an answer uses, judged by shared words.
import { z } from 'zod'
import { subjectStems } from './words.ts'

/** The fewest shared words of a used passage. */
const MIN_SHARED = 2
/** The share of the best passage's shared words that another one needs. */
const MIN_SHARE_OF_BEST = 0.5

/** A found passage that could be quoted. */
export type Found = { id: string; text: string }

const foundList = z.array(z.object({ id: z.string(), text: z.string() }))

/** The passages that a tool has returned; none when its result is of another kind. */
export function passagesIn(toolResult: unknown): Found[] {
  const parsed = foundList.safeParse(toolResult)
  return parsed.success ? parsed.data : []
}

/** Ids in the order of the passages; empty when the answer shares no words with any, such as a greeting. */
export function findUsedPassages(answer: string, passages: Found[]): string[] {
  if (passages.length === 0) return []
  const answerStems = subjectStems(answer)
  const shared = passages.map((passage) => {
    let count = 0
    for (const stem of subjectStems(passage.text)) if (answerStems.has(stem)) count += 1
    return count
  })
  const needed = Math.max(MIN_SHARED, Math.max(...shared) * MIN_SHARE_OF_BEST)
  const used = passages.filter((_, index) => (shared[index] ?? 0) >= needed)
  return [...new Set(used.map((passage) => passage.id))]
}
