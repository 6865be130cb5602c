// What Avito's refusals mean. Its methods word them in several formats, which are used for error messages only.
import { z } from 'zod'
import { AdapterError, type AdapterErrorKind } from '#server/integrations/channels/contract/adapter-error.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'

const DETAIL_LENGTH = 200

const text = z.string().catch('')
const refusal = z.union([
  z.object({ error: z.object({ message: text }) }).transform(({ error }) => error.message),
  z.object({ error: z.string(), error_description: text }).transform((all) => `${all.error} ${all.error_description}`),
  z.object({ errors: z.array(z.string()) }).transform(({ errors }) => errors.join(', ')),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ result: z.object({ message: z.string() }) }).transform(({ result }) => result.message),
])

/** The parsed JSON and its error message, cut short; null: it is not JSON. */
export function wordsOf(answer: string): { body: unknown; detail: string } | null {
  try {
    const body: unknown = JSON.parse(answer)
    return { body, detail: (refusal.safeParse(body).data ?? '').trim().slice(0, DETAIL_LENGTH) }
  } catch {
    return null
  }
}

/** An answer other than of success. */
export function refusedBy({ status, text: answer, retryAfter }: HttpAnswer): AdapterError {
  const words = wordsOf(answer)
  const kind = kindOf(status, words !== null)
  return new AdapterError(
    kind,
    `${status} ${words?.detail ?? ''}`.trim(),
    kind === 'rate_limited' ? retryAfterMs(retryAfter) : null,
    status,
  )
}

/** After a server error it is unknown whether the call took effect. */
function kindOf(status: number, isJson: boolean): AdapterErrorKind {
  if (status === 401) return 'unauthorized'
  // The account's subscription has to include the messenger's API, and may end. An HTML page comes from Avito's firewall.
  if (status === 402) return 'suspended'
  if (status === 403) return isJson ? 'suspended' : 'temporary'
  if (status === 429) return 'rate_limited'
  return status >= 400 && status < 500 ? 'permanent' : 'unknown_outcome'
}

/** Seconds from a header; null: it has none. */
export function retryAfterMs(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Math.max(Number(header), 1) * 1000 : null
}
