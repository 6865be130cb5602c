// The address a request comes from, as limits are counted by it.
import type { IncomingMessage } from 'node:http'

/** The peer's address, or, behind a trusted proxy, the last one that the proxy has added. What a client claims itself never counts. */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const peer = request.socket.remoteAddress ?? ''
  if (!trustProxy) return peer
  const forwarded = request.headers['x-forwarded-for']
  const claimed = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  return claimed?.split(',').at(-1)?.trim() || peer
}
