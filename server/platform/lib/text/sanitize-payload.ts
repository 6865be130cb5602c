// Makes what a provider sent fit to be stored, whichever way it came.

/** Far deeper than any notification. What lies deeper overflows the stack, of this process or of the database. */
const DEPTH_MAX = 200
/** Stands for what lies deeper. */
const CUT = '…'

/** JSON may hold what PostgreSQL refuses to store: the character NUL, halves of surrogate pairs, and lists in lists without end. */
export function sanitizePayload<Value>(value: Value): Value
export function sanitizePayload(value: unknown): unknown {
  return fitted(value, 0)
}

function fitted(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return sanitizeText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) return CUT
  if (Array.isArray(value)) return value.map((item) => fitted(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [sanitizeText(key), fitted(inner, depth + 1)]))
}

/** Whether a text can be stored as it is. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** A text that the database takes. */
export function sanitizeText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
