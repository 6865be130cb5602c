// Which of many calls has changed something, without looking at everything that is stored after each of them.

/** As many calls are made between two looks: a look costs as much as the tables are many, and so would one for each call. */
const GROUP = 30

/** In their order. */
export function groupsOf<Each>(all: readonly Each[]): Each[][] {
  return Array.from({ length: Math.ceil(all.length / GROUP) }, (_, at) => all.slice(at * GROUP, (at + 1) * GROUP))
}

/**
 * Those of a group that change something, halved until each stands alone.
 *
 * @param changes - makes the calls where nothing was called yet, and says whether anything is different afterwards
 */
export async function findFailing<Each>(
  group: readonly Each[],
  changes: (some: readonly Each[]) => Promise<boolean>,
): Promise<Each[]> {
  if (group.length === 0 || !(await changes(group))) return []
  if (group.length === 1) return [...group]
  const middle = Math.ceil(group.length / 2)
  return [...(await findFailing(group.slice(0, middle), changes)), ...(await findFailing(group.slice(middle), changes))]
}
