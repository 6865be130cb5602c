// `fetch` for calls of models, over Node's own HTTP client: what the global one does around a call takes a tenth of the processor time of a
// whole reply (docs/decisions/054). It keeps the contract that clients rely on, and follows no redirect: that would carry the key to another host.
import http from 'node:http'
import https from 'node:https'

/** Answers that have no body by definition: `Response` refuses one. */
const BODILESS = new Set([204, 205])

/**
 * Calls a model. Bodies other than text, such as recordings, and calls without one go through the global `fetch`.
 * @throws TypeError `fetch failed`, with its cause, when no answer comes; the signal's reason when the caller aborts
 */
export function modelFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = input instanceof Request ? null : String(input)
  if (url === null || typeof init.body !== 'string') return fetch(input, { ...init, redirect: 'error' })
  return send(url, init, Buffer.from(init.body))
}

function send(url: string, init: RequestInit, body: Buffer): Promise<Response> {
  const signal = init.signal ?? undefined
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause }))
    const request = (url.startsWith('https:') ? https : http).request(url, {
      method: init.method ?? 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'content-length': body.length },
      ...(signal && { signal }),
    })
    request.on('error', fail)
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      if (status >= 300 && status < 400) {
        response.destroy()
        return fail(new Error('a redirect is not followed'))
      }
      const answered = BODILESS.has(status) ? null : bodyOf(response, signal)
      resolve(new Response(answered, { status, headers: headersOf(response) }))
    })
    request.end(body)
  })
}

/** The body as it comes; the other side waits while nobody reads. */
function bodyOf(response: http.IncomingMessage, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      response.on('data', (chunk: Buffer) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 1) <= 0) response.pause()
      })
      response.on('end', () => controller.close())
      response.on('error', (error) => {
        controller.error(signal?.aborted ? signal.reason : new TypeError('terminated', { cause: error }))
      })
    },
    pull: () => void response.resume(),
    cancel: () => void response.destroy(),
  })
}

function headersOf({ rawHeaders }: http.IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}
