// Node's answer → the standard's, whose body is read while it comes and ends beyond its limit.
import type http from 'node:http'
import { TooLargeError } from './http-client.ts'

/** Statuses whose answers may have no body. */
const BARE = new Set([204, 205, 304])

/** The answer as `fetch` would give it. A status outside of the standard becomes 502. */
export function streamOf(response: http.IncomingMessage, maxBytes: number): Response {
  const { statusCode = 0, headers } = response
  const status = statusCode >= 200 && statusCode <= 599 ? statusCode : 502
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  if (!BARE.has(status)) return new Response(bodyOf(response, maxBytes), { status, headers: pairs })
  response.on('error', () => undefined).resume()
  return new Response(null, { status, headers: pairs })
}

function bodyOf(response: http.IncomingMessage, maxBytes: number): ReadableStream<Uint8Array> {
  let size = 0
  let isOver = false
  return new ReadableStream<Uint8Array>({
    start(controller) {
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) return response.destroy(new TooLargeError())
        controller.enqueue(new Uint8Array(chunk))
        if ((controller.desiredSize ?? 0) <= 0) response.pause()
      })
      response.on('end', () => {
        if (!isOver) controller.close()
        isOver = true
      })
      response.on('error', (error) => controller.error(error))
    },
    pull() {
      response.resume()
    },
    cancel() {
      isOver = true
      response.destroy()
    },
  })
}
