// How much work of all spaces the tray lists; the rest is only counted.

/** Listed in the tray; more are on the pages of their spaces. */
export const UNFINISHED_LISTED = 50
export const ENDED_LISTED = 20

/** How many of the unfinished are not among the listed ones. Counts only where the list is full. */
export async function countUnlisted(listed: number, countAll: () => Promise<number>): Promise<number> {
  return listed < UNFINISHED_LISTED ? 0 : Math.max(0, (await countAll()) - listed)
}
