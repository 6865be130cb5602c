// The payload of a rating button: its question and its score, so that no other press can be mistaken for one.

const PRESS = /^rating:([0-9a-v]{32}):([1-5])$/

/** At most 64 bytes. @source core.telegram.org/bots/api#inlinekeyboardbutton */
export function pressOf(ratingId: string, score: string): string {
  return `rating:${ratingId}:${score}`
}

/** Null for any other payload. */
export function readPress(data: string): { ratingId: string; score: number } | null {
  const [, ratingId, score] = PRESS.exec(data) ?? []
  return ratingId && score ? { ratingId, score: Number(score) } : null
}
