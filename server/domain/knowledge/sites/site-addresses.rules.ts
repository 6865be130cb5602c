// Which addresses are pages of a site, and which of them are the same page.
import path from 'node:path'
import type { SiteMode } from '#shared/knowledge/sites.ts'

/** Parameters that say where a visitor came from, not what is shown. */
const TRACKING = /^(?:utm_|mc_|hsa_)|^(?:gclid|fbclid|yclid|ysclid|msclkid|_openstat|phpsessid|jsessionid|sid)$/i
/** Extensions of what is definitely no page. */
const FILES = new Set(
  `.jpg .jpeg .png .gif .webp .avif .svg .ico .bmp .tif .tiff .mp3 .mp4 .avi .mov .mkv .webm .wav .ogg .zip .rar .7z .gz .tar .exe .dmg
  .apk .iso .css .js .mjs .json .xml .rss .atom .woff .woff2 .ttf .eot .pdf .doc .docx .xls .xlsx .ppt .pptx .csv .txt`.split(
    /\s+/,
  ),
)
const ADDRESS_MAX = 2000

/**
 * An address in the one form in which it is kept: no fragment, no tracking, parameters in order. Null for anything else than a public
 * form of http(s), such as an address with a password.
 */
export function siteAddress(text: string): string | null {
  const trimmed = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null
  if (!url.hostname.includes('.') && !url.hostname.startsWith('[')) return null
  url.hash = ''
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
  url.searchParams.sort()
  return url.href.length <= ADDRESS_MAX ? url.href : null
}

/** Whether an address may be a page of the site that begins at `start`: same host, below its folder when links are followed. */
export function isOfSite(address: string, start: string, mode: SiteMode): boolean {
  const [url, first] = [new URL(address), new URL(start)]
  if (url.host !== first.host) return false
  if (FILES.has(path.posix.extname(url.pathname).toLowerCase())) return false
  if (mode === 'sitemap') return true
  const folder = folderOf(first.pathname)
  return url.pathname === first.pathname || url.pathname.startsWith(folder)
}

/** `/docs/` for `/docs/`, `/docs` and `/docs/index.html`. */
function folderOf(pathname: string): string {
  if (pathname.endsWith('/')) return pathname
  const last = path.posix.basename(pathname)
  return last.includes('.') ? pathname.slice(0, -last.length) : `${pathname}/`
}
