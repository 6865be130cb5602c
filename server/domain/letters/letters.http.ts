// GET /dev/mail — the last letters with their links, for development without a mail server. On other servers there is no such page.
import { Hono } from 'hono'
import { getBrand, listBrands } from '#server/domain/branding/branding.store.ts'
import type { Services } from '#server/functions/services.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import { escaped } from '#server/platform/lib/text/escape-html.ts'
import { brandOf } from '#shared/organizations/branding.ts'
import { openLetter, organizationOf } from './letters.job.ts'
import { listLetters } from './letters.store.ts'
import { letterText } from './letters.words.ts'

const SHOWN = 50
const POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

type Parts = Pick<Services, 'database' | 'secrets' | 'publicUrl'>

/** The page of letters. Without `isShown` it is not there. */
export function letterRoutes(services: Parts, isShown: boolean): Hono {
  const routes = new Hono()
  if (!isShown) return routes
  routes.get('/dev/mail', async (c) => {
    const { letters, installation, own } = await services.database.system(
      'letters: show',
      async (db) => readLetters(services, { db }),
      { readOnly: true },
    )
    const items = letters.map(({ row, content }) => {
      const head = `${row.created_at.toISOString()} · ${row.recipient} · ${row.state}`
      if (content === null) return `<li><p>${escaped(head)} · ${row.kind}</p></li>`
      const brand = brandOf(installation, own.get(organizationOf(content) ?? ''))
      const { subject, text } = letterText(content, row.language, { brand, publicUrl: services.publicUrl })
      return `<li><h2>${escaped(subject)}</h2><p>${escaped(head)}</p><pre>${linked(text)}</pre></li>`
    })
    const body = items.length > 0 ? `<ul>${items.join('\n')}</ul>` : '<p>No letters yet.</p>'
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Letters</title><main><h1>Letters</h1>${body}</main></html>`
    return c.html(page, 200, { 'content-security-policy': POLICY, 'cache-control': 'no-store' })
  })
  return routes
}

/** The last letters, with the brands that they are under. `content` null: removed already. */
async function readLetters(services: Parts, ctx: StoreContext) {
  const rows = await listLetters(ctx, SHOWN)
  const letters = rows.map((row) => {
    const { id, content } = row
    return { row, content: content === null ? null : openLetter(services, { id, content }) }
  })
  const organizations = letters.flatMap(({ content }) => (content && organizationOf(content)) ?? [])
  const own = await listBrands(ctx, [...new Set(organizations)])
  return { letters, installation: await getBrand(ctx, 'installation'), own }
}

function linked(text: string): string {
  return escaped(text).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}" rel="noreferrer">${url}</a>`)
}
