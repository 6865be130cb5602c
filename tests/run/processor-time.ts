// Processor time of what this process has started, which says what a run costs on whatever machine.
import fs from 'node:fs'

const STAT = '/proc/self/stat'
/** Of /proc: a hundredth of a second on every Linux. */
const TICKS_PER_SECOND = 100

/**
 * Seconds that ended child processes have used so far, with their own ended children; null where the system does not count it.
 * @source man 5 proc: cutime and cstime of /proc/[pid]/stat
 */
export function childrenSeconds(): number | null {
  if (!fs.existsSync(STAT)) return null
  const stat = fs.readFileSync(STAT, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the name before may hold spaces; field 3 comes first
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}
