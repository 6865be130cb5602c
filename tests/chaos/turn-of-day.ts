// What takes long is played in turns, other ones every day; all of it by `npm run test:deep`.

const DAY_MS = 24 * 3_600_000

/** Every `count`th of these, beginning with another one every day. */
export function turnOfDay<Item>(items: readonly Item[], count: number, now = Date.now()): Item[] {
  const turn = Math.floor(now / DAY_MS) % count
  return items.filter((_, place) => place % count === turn)
}
