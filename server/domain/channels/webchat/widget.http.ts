// The pages of the web chat, built from widget/. Their API is in domain/messaging/webchat/webchat.http.ts.
//
//   GET /widget.js        the script that a site embeds
//   GET /widget/:key      the chat as it stands in the frame of that script, on the widget's sites only
//   GET /talk/:key        the chat as a page of its own
//   GET /widget-files/*   the files of both
import { Hono } from 'hono'
import type { Services } from '#server/functions/services.ts'
import { widgetPolicy } from '#server/platform/lib/http/security-headers.ts'
import type { StaticFiles } from '#server/platform/lib/http/static-files.ts'
import { WIDGET_KEY_PATTERN } from '#shared/channels/webchat.ts'
import { isListed, siteAround } from './webchat.sites.ts'
import { findWidget, noteRefusedSite } from './webchat.store.ts'

const PAGE = '/index.html'
const LOADER = '/widget.js'

/** The routes, over the built files of the widget. */
export function widgetRoutes(
  { database, publicUrl }: Pick<Services, 'database' | 'publicUrl'>,
  files: StaticFiles,
): Hono {
  const routes = new Hono()
  const answer = async (pathname: string, request: Request, headers: Record<string, string>) => {
    const file = await files.answer(pathname, request)
    if (!file) return new Response('The web chat is not built: run "npm run build".', { status: 503 })
    for (const [name, value] of Object.entries(headers)) file.headers.set(name, value)
    return file
  }
  const hostsOf = async (key: string, headers: Headers) => {
    if (!WIDGET_KEY_PATTERN.test(key)) return []
    const widget = await database.system('web chat: page', (db) => findWidget({ db }, key), { readOnly: true })
    if (!widget) return []
    const { domains } = widget.settings
    const site = siteAsking(headers, publicUrl)
    if (site !== null && !isListed(domains, site, publicUrl)) {
      const { id, organizationId } = widget.connection
      await database.organization(organizationId, (db) => noteRefusedSite({ db, organizationId }, id, site))
    }
    return domains
  }
  // Pages of any origin load it, whatever isolation they have asked their browser for. It holds no private data.
  routes.get(LOADER, (c) => answer(LOADER, c.req.raw, { 'cross-origin-resource-policy': 'cross-origin' }))
  routes.get('/widget/:key', async (c) =>
    answer(PAGE, c.req.raw, {
      'content-security-policy': widgetPolicy(await hostsOf(c.req.param('key'), c.req.raw.headers)),
      // A page that is isolated shows only frames that say both.
      'cross-origin-resource-policy': 'cross-origin',
      'cross-origin-embedder-policy': 'require-corp',
    }),
  )
  routes.get('/talk/:key', (c) => answer(PAGE, c.req.raw, { 'content-security-policy': widgetPolicy([]) }))
  routes.get('/widget-files/*', async (c) => {
    const file = await files.answer(c.req.path.slice('/widget-files'.length), c.req.raw)
    return file ?? c.json({ code: 'not_found' }, 404)
  })
  return routes
}

/** The site on which a browser is about to show the page in a frame: the script sets the policy that makes the browser name it. */
function siteAsking(headers: Headers, publicUrl: string): string | null {
  if (headers.get('sec-fetch-dest') !== 'iframe') return null
  return siteAround(headers.get('referer') ?? undefined, publicUrl)
}
