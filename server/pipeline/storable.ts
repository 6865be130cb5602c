// Makes what a provider sent fit to be stored, whichever way it came.

/** JSON may hold what PostgreSQL refuses to store: the character NUL, and halves of surrogate pairs. */
export function storable<Value>(value: Value): Value
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map((item) => storable(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]))
}

/** A text that the database takes. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
