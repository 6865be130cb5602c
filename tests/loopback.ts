// An HTTP server on a free port of this machine, for tests that need one door and not the whole server.
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'

/** Serves until closed. */
export async function listenOnLoopback(
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<{ url: string; close(): Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<AddressInfo>()
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info as AddressInfo))
  const { port } = await promise
  const close = async () => {
    await new Promise((done) => server.close(done))
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
