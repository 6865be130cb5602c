// A small web site on loopback whose pages a test changes while it runs. It records the requests.
import { listenOnLoopback } from '#tests/loopback.ts'

export interface FakeSite {
  /** The address it pretends to have. Clients must resolve the name to 127.0.0.1. */
  readonly origin: string
  readonly port: string
  /** Path → content. A text is HTML; a number answers with that status; an address redirects. */
  readonly pages: Map<string, string | number | URL | Uint8Array>
  /** Requested paths, in order. */
  readonly hits: string[]
  /** The next request for the path is answered only when the result is called. */
  hold(path: string): { arrived: Promise<void>; release(): void }
  close(): Promise<void>
}

/** Starts a site with the name `host`, on any free port unless one is given. */
export async function startFakeSite(host: string, at = 0): Promise<FakeSite> {
  const pages: FakeSite['pages'] = new Map()
  const hits: string[] = []
  const held = new Map<string, { arrived: () => void; released: Promise<void> }>()
  const server = await listenOnLoopback(async (request) => {
    const { pathname, search } = new URL(request.url)
    const path = pathname + search
    hits.push(path)
    const holding = held.get(path)
    held.delete(path)
    holding?.arrived()
    await holding?.released
    const page = pages.get(path) ?? 404
    if (typeof page === 'number') return new Response('', { status: page })
    if (page instanceof URL) return new Response('', { status: 302, headers: { location: page.href } })
    if (typeof page !== 'string')
      return new Response(Buffer.from(page), { headers: { 'content-type': 'application/xml' } })
    const type = path.endsWith('.txt') ? 'text/plain' : path.endsWith('.xml') ? 'application/xml' : 'text/html'
    return new Response(page, { headers: { 'content-type': `${type}; charset=utf-8` } })
  }, at)
  const { port } = new URL(server.url)
  return {
    origin: `http://${host}:${port}`,
    port,
    pages,
    hits,
    hold(path) {
      const arrived = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      held.set(path, { arrived: arrived.resolve, released: released.promise })
      return { arrived: arrived.promise, release: released.resolve }
    },
    close: server.close,
  }
}

/** A page with a title, a sentence and links. */
export function page(title: string, text: string, ...links: string[]): string {
  const list = links.map((link) => `<a href="${link}">${link}</a>`).join(' ')
  return `<html><head><title>${title}</title></head><body><nav>${list}</nav><h1>${title}</h1><p>${text}</p></body></html>`
}
