// Fetches one page of the web through the outbound guard and reads it in a guarded process.

import { ParseFailure } from '#server/domain/knowledge/search/parsers/parse-failure.ts'
import { readWebPageGuarded } from '#server/domain/knowledge/search/parsers/web-pages/read-guarded.ts'
import type { WebPage } from '#server/domain/knowledge/search/parsers/web-pages/web-page.ts'
import type { Services } from '#server/functions/services.ts'
import { OutboundError } from '#server/integrations/http/outbound.ts'
import type { PageFailure } from '#shared/knowledge/sites.ts'

/** Bytes of one page. */
const PAGE_MAX_BYTES = 5 * 1024 * 1024
const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml', ''])

/** A page that cannot be used. */
export class PageError extends Error {
  readonly reason: PageFailure
  constructor(reason: PageFailure, message: string) {
    super(message)
    this.name = 'PageError'
    this.reason = reason
  }
}

/** A page with where it was found in the end, and its bytes. */
export type FetchedPage = WebPage & { url: string; bytes: Uint8Array }

/**
 * One page. `isWanted` is asked about where the redirects ended.
 * @throws PageError, or the signal's reason when aborted
 */
export async function fetchPage(
  { outbound }: Pick<Services, 'outbound'>,
  url: string,
  isWanted: (url: URL) => boolean,
  signal: AbortSignal,
): Promise<FetchedPage> {
  try {
    const { url: end, contentType, body } = await outbound.fetch(url, { maxBytes: PAGE_MAX_BYTES, signal })
    if (!isWanted(new URL(end))) throw new PageError('elsewhere', `led to ${end}`)
    if (!PAGE_TYPES.has(contentType)) throw new PageError('not_a_page', contentType)
    const page = await readWebPageGuarded(body, end, signal)
    if (page.text === '') throw new PageError('empty', 'nothing to read')
    return { ...page, url: end, bytes: body }
  } catch (error) {
    if (error instanceof OutboundError) throw new PageError(reasonOf(error), error.message)
    if (error instanceof ParseFailure) throw new PageError('unreadable', error.reason)
    throw error
  }
}

function reasonOf({ status }: OutboundError): PageFailure {
  if (status === 404 || status === 410) return 'gone'
  if (status === 401 || status === 403) return 'refused'
  return 'unreachable'
}
