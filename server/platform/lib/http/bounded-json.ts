// Parsing JSON of unknown origin. A few bytes of text can become many objects, so what the text holds is counted before it is parsed.

/** `depth`: lists and objects inside of each other. `values`: entries of all lists and objects together. */
export type JsonBounds = { depth: number; values: number }

/** Bodies and messages of callers with an account, and of providers. */
export const JSON_BOUNDS: JsonBounds = { depth: 64, values: 200_000 }
/** The same of callers without one. */
export const STRANGER_JSON_BOUNDS: JsonBounds = { depth: 32, values: 5_000 }

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The parsed text; undefined for one that is not JSON or is larger than the bounds. */
export function parseBoundedJson(text: string, bounds: JsonBounds): unknown {
  if (!isWithin(text, bounds)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a text, if it is JSON, holds no more than the bounds allow. */
export function isWithin(text: string, { depth, values }: JsonBounds): boolean {
  let open = 0
  let counted = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        counted++
        if (++open > depth) return false
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        open--
        break
      case COMMA:
        counted++
    }
    if (counted > values) return false
  }
  return true
}

/** Where the string that begins at `start` ends. The search of the engine passes over long texts faster than a loop. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
