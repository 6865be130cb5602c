// Names of tools as models know them: those of the server behind its own, of letters that every provider takes.
import { slugFor } from '#server/platform/lib/text/slug.ts'
import { BUILT_IN_TOOLS } from '#shared/tools/functions.ts'

const SHORT_MAX = 20
const NAME_MAX = 64

/** What stands before the names of a server's tools; letters and digits, begins with a letter. */
export function shortNameOf(name: string, taken: Iterable<string>): string {
  const word = slugFor(name).replaceAll('-', '_').slice(0, SHORT_MAX).replace(/_+$/, '')
  return free(/^[a-z]/.test(word) ? word : `s_${word}`.slice(0, SHORT_MAX), SHORT_MAX, taken)
}

/** A name of a tool that no other tool of the organization has. */
export function modelNameOf(shortName: string, name: string, taken: Iterable<string>): string {
  const own = slugFor(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')).replaceAll('-', '_')
  return free(`${shortName}_${own}`.slice(0, NAME_MAX).replace(/_+$/, ''), NAME_MAX, [...taken, ...BUILT_IN_TOOLS])
}

function free(base: string, max: number, taken: Iterable<string>): string {
  const used = new Set(taken)
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `_${number}`
    const candidate = base.slice(0, max - end.length) + end
    if (!used.has(candidate)) return candidate
  }
}
