// Sitemaps: lists of pages, and lists of such lists. @source sitemaps.org/protocol.html
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** Addresses in the order of the file. A sitemap has either pages or further sitemaps. */
export type Sitemap = { pages: string[]; sitemaps: string[] }

/** Bytes of one unpacked sitemap. */
const TEXT_MAX_BYTES = 50 * 1024 * 1024
const ADDRESSES_MAX = 50_000
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Undefined for anything but a sitemap: XML, possibly gzipped, or a text with an address a line. */
export async function readSitemap(bytes: Uint8Array): Promise<Sitemap | undefined> {
  const text = await unpacked(bytes)
  if (text === undefined) return undefined
  if (/<(?:\w+:)?sitemapindex[\s>]/.test(text)) return { pages: [], sitemaps: locations(text) }
  if (/<(?:\w+:)?urlset[\s>]/.test(text)) return { pages: locations(text), sitemaps: [] }
  const lines = text.split(/\r?\n/, ADDRESSES_MAX).filter((line) => line.trim() !== '')
  const isList = lines.length > 0 && lines.every((line) => /^https?:\/\/\S+$/.test(line.trim()))
  return isList ? { pages: lines.map((line) => line.trim()), sitemaps: [] } : undefined
}

async function unpacked(bytes: Uint8Array): Promise<string | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return Buffer.from(bytes).toString('utf8')
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: TEXT_MAX_BYTES })).toString('utf8')
  } catch {
    return undefined // damaged, or too large
  }
}

/** Reads the tags only: entities are not expanded, whatever the file declares. */
function locations(text: string): string[] {
  const found: string[] = []
  for (const [, written = ''] of text.matchAll(/<(?:\w+:)?loc>\s*(?:<!\[CDATA\[\s*)?([^<\]\s]{1,2000})/g)) {
    found.push(written.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? ''))
    if (found.length >= ADDRESSES_MAX) break
  }
  return found
}
