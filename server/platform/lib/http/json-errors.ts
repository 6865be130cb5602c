// Refusals as every program can read them: JSON with a code, whichever library has answered.

const CODES: Partial<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timed_out',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
}

/** A code for a status; for more than the status says its route has a better one. */
export function codeOfStatus(status: number): string {
  return CODES[status] ?? (status >= 500 ? 'server_error' : 'refused')
}

/** Adds a JSON body with a code to an error answer, unless it has one. Other answers are unchanged. */
export async function withCode(answer: Response): Promise<Response> {
  const { status } = answer
  if (status < 400 || status === FUNCTION_FAILED) return answer
  const text = await answer.clone().text()
  const given = parsed(text)
  if (given && typeof given.code === 'string') return answer
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  headers.set('content-type', 'application/json')
  const message = given ?? (text !== '' && !/^\s*</.test(text) ? { message: text } : {})
  return new Response(JSON.stringify({ code: codeOfStatus(status), ...message }), { status, headers })
}

/** Of the realtime client's HTTP calls: the failure of a function is in the body, in the client's own form. */
const FUNCTION_FAILED = 560

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
