// An HTTP server of this machine alone, for tests that need one door and not the whole server.
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'

/** Serves until closed, on any free port unless one is given. */
export async function listenOnLoopback(
  fetch: (request: Request) => Response | Promise<Response>,
  at = 0,
): Promise<{ url: string; close(): Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<AddressInfo>()
  const server = serve({ fetch, port: at, hostname: '127.0.0.1' }, (info) => resolve(info as AddressInfo))
  const { port } = await promise
  const close = async () => {
    await new Promise((done) => server.close(done))
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
