// robots.txt: what a site asks of robots. Reading and matching are robots-parser's; here are the limits for files that strangers wrote.
// @source RFC 9309
import robotsParser from 'robots-parser'

export type Robots = {
  /** Whether an address of the site may be read. */
  mayRead(address: string): boolean
  /** Crawl delay, milliseconds; 0 where none is given. */
  delayMs: number
}

/** What we call ourselves, as far as robots.txt is concerned. */
const AGENT = 'parley'
/** A file holds for the site whichever of its addresses it was read from: http or https, with or without a port. */
const SITE = 'http://site.invalid'
const LINES_MAX = 5000
/** Characters of rules with wildcards. Comparing each with an address takes time by both their lengths. */
const WILDCARDS_MAX = 20_000
/** More is not waited for. */
const DELAY_MAX_SECONDS = 10

/** Everything may be read: there is no robots.txt. */
export const NO_ROBOTS: Robots = { mayRead: () => true, delayMs: 0 }

/** The groups that name us apply, else those for all agents; of the matching rules, the longest. */
export function readRobots(text: string): Robots {
  const robots = robotsParser(`${SITE}/robots.txt`, bounded(text))
  const seconds = Math.max(0, robots.getCrawlDelay(AGENT) ?? 0)
  return {
    mayRead(address) {
      const { pathname, search } = new URL(address)
      return robots.isAllowed(SITE + pathname + search, AGENT) ?? true
    },
    delayMs: Math.min(seconds, DELAY_MAX_SECONDS) * 1000,
  }
}

function bounded(text: string): string {
  let wildcards = 0
  const fits = (line: string) => {
    if (!/^\s*(?:dis)?allow\b.*\*/i.test(line)) return true
    wildcards += line.length
    return wildcards <= WILDCARDS_MAX
  }
  return text
    .split(/\r\n|\r|\n/, LINES_MAX)
    .filter(fits)
    .join('\n')
}
