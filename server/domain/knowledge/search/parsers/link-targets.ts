// What a link says besides its text: whom it calls, writes to, or which file or other site it opens.

const FILE = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|csv|txt|zip|rar|7z|apk|dmg|exe|epub|ics|vcf)(?:$|[?#])/i
const MESSENGER = /^(?:tg|whatsapp|viber|skype|weixin|max):/i
const TARGET_MAX = 300

/**
 * The target as written after the text of a link; null for one of no use to a reader, as within the site.
 *
 * @param page the address of the page, null where unknown
 */
export function targetOf(href: string, page: string | null): string | null {
  const link = href.trim()
  if (link.length > TARGET_MAX || link === '' || link.startsWith('#')) return null
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(link)?.[1]?.toLowerCase()
  if (scheme === 'tel' || scheme === 'sms' || scheme === 'callto')
    return decoded(link.slice(scheme.length + 1)).split('?')[0] || null
  if (scheme === 'mailto') return decoded(link.slice(7)).split('?')[0] || null
  if (MESSENGER.test(link)) return link
  if (scheme && scheme !== 'http' && scheme !== 'https') return null
  const url =
    page === null
      ? scheme || link.startsWith('//')
        ? URL.parse(link, 'https://site.invalid')
        : null
      : URL.parse(link, page)
  if (FILE.test(link)) return url && (page !== null || scheme) ? url.href : link
  if (!url || !scheme) return null
  return page !== null && url.origin === URL.parse(page)?.origin ? null : link
}

/** What stands behind the text of a link in a file: its target in brackets, unless the text says it or it says nothing. */
export function behindLink(text: string, href: string | undefined): string {
  const target = href === undefined ? null : targetOf(href, null)
  return target === null || !text.trim() || saysTarget(text, target) ? '' : ` (${target})`
}

/** Where a field of a text document leads, such as `HYPERLINK "https://…"`; undefined for one that is no link. */
export function fieldTarget(instruction: string): string | undefined {
  return /(?:^|\s)HYPERLINK\s+(?:"([^"]+)"|([^\s"\\]\S*))/i.exec(instruction)?.slice(1).find(Boolean)
}

/** Whether a text names its target already: the number, the address, the site. */
export function saysTarget(text: string, target: string): boolean {
  const plain = (value: string) =>
    value
      .toLowerCase()
      .replace(/^https?:\/\/(?:www\.)?/, '')
      .replace(/\/$/, '')
  if (plain(text).includes(plain(target))) return true
  const digits = target.replace(/\D/g, '')
  return /^\+?[\d\s().-]+$/.test(target) && digits.length >= 3 && text.replace(/\D/g, '').includes(digits)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim()
  } catch {
    return text.trim()
  }
}
