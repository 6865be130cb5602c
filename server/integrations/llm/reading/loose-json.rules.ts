// JSON as models write it by hand: single quotes, Python's words, doubled braces, commas too many. Decisions only.

const PAIRS: Record<string, string> = { '{': '}', '[': ']', '(': ')' }
const QUOTES = '"\''

/** Characters that stand in no quoted text, with their positions. */
export function* withStrings(text: string, from = 0): Generator<{ at: number; character: string }> {
  let quote: string | null = null
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== null) {
      if (character === '\\') at += 1
      else if (character === quote) quote = null
    } else if (QUOTES.includes(character)) quote = character
    else yield { at, character }
  }
}

/** The position after the bracket that closes the one at `from`; null: nothing closes it. */
export function balancedEnd(text: string, from: number): number | null {
  const open: string[] = []
  for (const { at, character } of withStrings(text, from)) {
    const closer = PAIRS[character]
    if (closer) open.push(closer)
    else if (character === open.at(-1)) {
      open.pop()
      if (open.length === 0) return at + 1
    }
  }
  return null
}

/** The value of a text that is JSON or nearly so; undefined for anything else. */
export function parseLoosely(text: string): unknown {
  const trimmed = text.trim()
  for (const version of [trimmed, trimmed.replace(/^\{(\{[\s\S]*\})\}$/u, '$1'), fromPython(trimmed)]) {
    try {
      return JSON.parse(version)
    } catch {
      // The next version may be read.
    }
  }
  return undefined
}

const PYTHON = /"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'|\b(True|False|None)\b|,(\s*[}\]])/gsu
const WORDS: Record<string, string> = { True: 'true', False: 'false', None: 'null' }

function fromPython(text: string): string {
  return text.replace(PYTHON, (whole: string, single?: string, word?: string, closer?: string) => {
    if (single !== undefined) return JSON.stringify(single.replace(/\\(['"])/g, '$1'))
    if (word !== undefined) return WORDS[word] ?? word
    return closer ?? whole.replace(/\n/g, '\\n')
  })
}
