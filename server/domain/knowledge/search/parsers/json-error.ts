// Where a text stops being JSON. The engine's own message names the place only sometimes.
import type { TextPosition } from '#shared/knowledge/knowledge.ts'

const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const VALUE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const SPACE = /[ \t\r\n]*/y

/** The first character that does not belong. To be asked only for a text that JSON.parse refuses. */
export function jsonErrorAt(text: string): TextPosition {
  const at = firstErrorIn(text)
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - lineStart + 1 }
}

/**
 * Follows the text with a stack of what is open. `expects` is what may come next: a value, a name, a colon, or what follows a value.
 * After an opening bracket its closing one may come at once (`canClose`).
 */
function firstErrorIn(text: string): number {
  const open: ('{' | '[')[] = []
  let expects: 'value' | 'name' | 'colon' | 'next' = 'value'
  let canClose = false
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const taken = pattern.exec(text)?.[0] ?? ''
    at += taken.length
    return taken !== ''
  }
  for (;;) {
    take(SPACE)
    const character = text[at]
    const inside = open.at(-1)
    if (character === undefined) return at
    const isClosing = character === (inside === '{' ? '}' : ']') && inside !== undefined
    if (isClosing && (canClose || expects === 'next')) {
      open.pop()
      at++
      expects = 'next'
    } else if (expects === 'value' && (character === '{' || character === '[')) {
      open.push(character)
      at++
      expects = character === '{' ? 'name' : 'value'
      canClose = true
      continue
    } else if (expects === 'value') {
      if (!take(STRING) && !take(VALUE)) return at
      expects = 'next'
    } else if (expects === 'name') {
      if (!take(STRING)) return at
      expects = 'colon'
    } else if (expects === 'colon') {
      if (character !== ':') return at
      at++
      expects = 'value'
    } else {
      if (character !== ',' || inside === undefined) return at
      at++
      expects = inside === '{' ? 'name' : 'value'
    }
    canClose = false
  }
}
