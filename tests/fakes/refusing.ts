// A provider that is unreachable for a while: new connections are refused, and open ones are closed with their next answer. So no request
// is cut off halfway: a refused client knows that nothing was sent.
import { once } from 'node:events'
import type http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Makes a listening server refuse connections for the given time. */
export function refusing(server: http.Server): (forMs: number) => Promise<void> {
  const { port, address } = server.address() as AddressInfo
  server.prependListener('request', (_, response: http.ServerResponse) => {
    if (!server.listening) response.setHeader('connection', 'close')
  })
  return async (forMs) => {
    net.Server.prototype.close.call(server) // an HTTP server's own would cut idle connections, on which a request may be on its way
    await sleep(forMs)
    server.listen(port, address)
    await once(server, 'listening')
  }
}
