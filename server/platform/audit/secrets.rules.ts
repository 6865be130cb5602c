// What never gets into the audit trail, whatever a caller hands over.

const SECRET = /password|secret|token|api_?key|credential|cipher/i
/** In place of a secret: that there was one. */
const HIDDEN = '•••'

/** The same values, with those of secret names hidden, at any depth. */
export function withoutSecrets(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hide(name, value)]))
}

function hide(name: string, value: unknown): unknown {
  if (SECRET.test(name) && typeof value === 'string') return HIDDEN
  if (Array.isArray(value)) return value.map((each) => hide(name, each))
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null) return withoutSecrets(value as Record<string, unknown>)
  return value
}
