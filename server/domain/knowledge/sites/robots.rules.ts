// robots.txt: what a site asks of robots. @source RFC 9309

export type Robots = {
  /** Whether an address of the site may be read. */
  mayRead(address: string): boolean
  /** Crawl delay, milliseconds; 0 where none is given. */
  delayMs: number
}

type Rule = { isAllowed: boolean; pattern: string }
type Group = { agents: string[]; rules: Rule[]; delaySeconds: number }

/** What we call ourselves, as far as robots.txt is concerned. */
const AGENT = 'parley'
const LINES_MAX = 5000
/** More is not waited for. */
const DELAY_MAX_SECONDS = 10

/** Everything may be read: there is no robots.txt. */
export const NO_ROBOTS: Robots = { mayRead: () => true, delayMs: 0 }

/** The groups that name us apply, else those for all agents; of the matching rules, the longest. */
export function readRobots(text: string): Robots {
  const groups = readGroups(text)
  const own = groups.filter(({ agents }) => agents.includes(AGENT))
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = chosen
    .flatMap((group) => group.rules)
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed))
  const seconds = Math.max(0, ...chosen.map((group) => group.delaySeconds))
  return {
    mayRead(address) {
      const { pathname, search } = new URL(address)
      return rules.find(({ pattern }) => fits(pathname + search, pattern))?.isAllowed ?? true
    },
    delayMs: Math.min(seconds, DELAY_MAX_SECONDS) * 1000,
  }
}

function readGroups(text: string): Group[] {
  const groups: Group[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/, LINES_MAX)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const field = name.toLowerCase()
    const given = value.trim()
    if (field === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [], delaySeconds: 0 })
      groups.at(-1)?.agents.push(given.toLowerCase())
      isNaming = true
      continue
    }
    const group = groups.at(-1)
    if (!group || !field) continue
    isNaming = false
    if ((field === 'allow' || field === 'disallow') && given) {
      group.rules.push({ isAllowed: field === 'allow', pattern: given })
    } else if (field === 'crawl-delay') group.delaySeconds = Number.parseFloat(given) || 0
  }
  return groups
}

/** `*` matches anything, `$` at the end the end. Linear in the address, for any pattern. */
function fits(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1
    const found = isLast && isWhole ? path.lastIndexOf(part) : path.indexOf(part, at)
    if (found < at) return false
    at = found + part.length
  }
  return !isWhole || at === path.length
}
