// The first page of the web client and what home screens read, under the brand of the installation.
import { escaped } from '#server/platform/lib/text/escape-html.ts'
import type { Brand } from '#shared/organizations/branding.ts'

/** The page: its title and icons, and the brand as data that its script applies before anything is drawn. */
export function brandedPage(html: string, brand: Brand): string {
  const name = escaped(brand.name)
  // Nothing in a name can end the element.
  const data = JSON.stringify(brand).replaceAll('<', '\\u003c')
  const title = `<title>${name}</title>\n    <script type="application/json" id="brand">${data}</script>`
  const page = html
    .replace(/<title>[^<]*<\/title>/, () => title)
    .replace(/(<meta name="description" content=")[^":]*/, (_, before: string) => before + name)
  if (brand.icon === null) return page
  const icon = escaped(brand.icon)
  return page
    .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${icon}" type="image/png" />`)
    .replace(/<link rel="apple-touch-icon"[^>]*>/, () => `<link rel="apple-touch-icon" href="${icon}" />`)
}

/** The manifest: the name, the colour and the icon. */
export function brandedManifest(manifest: string, { name, icon, accent }: Brand): string {
  return JSON.stringify({
    ...(JSON.parse(manifest) as object),
    ...{ name, short_name: name },
    ...(accent.light !== null && { theme_color: accent.light }),
    ...(icon !== null && { icons: [{ src: icon, sizes: '512x512', type: 'image/png', purpose: 'any' }] }),
  })
}
