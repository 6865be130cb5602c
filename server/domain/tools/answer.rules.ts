// What a service has answered → what a model receives of it: the fields that the tool names, without secrets.
import type { ToolField } from '#shared/tools/tools.ts'

/** Shorter texts are no secrets: taking them out would tear answers apart. */
const SECRET_MIN = 4

/** The text without the secrets that were sent along, should the service repeat them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SECRET_MIN)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
}

/** The named fields of an answer; all of it where none is named. Undefined: it is no JSON and was to be. */
export function mapped(text: string, fields: readonly ToolField[]): unknown {
  const json = parse(text)
  if (json === undefined) return fields.length > 0 ? undefined : text
  if (fields.length === 0) return json
  return Object.fromEntries(fields.map(({ name, pointer }) => [name, at(json, pointer) ?? null]))
}

/** What stands at a JSON pointer (RFC 6901); undefined: nothing. */
export function at(json: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => {
      if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(part) ? value[Number(part)] : undefined
      return typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string, unknown>)[part]
        : undefined
    }, json)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
