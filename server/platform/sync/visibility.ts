// Which transactions a snapshot of PostgreSQL sees.

/** Whether a committed transaction is visible in a snapshot, given as the text of `pg_current_snapshot()`: `xmin:xmax:xip,…`. */
export function isVisible(xid: string, snapshot: string): boolean {
  const [, xmax, running = ''] = snapshot.split(':')
  if (xmax === undefined) throw new Error(`Not a snapshot: ${snapshot}`)
  return BigInt(xid) < BigInt(xmax) && !running.split(',').includes(xid)
}
