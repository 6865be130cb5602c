// The calls of Graph as the Cloud API makes them, and what its failures mean.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
import { z } from 'zod'
import { AdapterError, type AdapterErrorKind } from '#server/integrations/channels/contract/adapter-error.ts'
import { type Ask, createGraph, type Fetch, type Refusal } from '#server/integrations/channels/meta/graph.ts'
import { readCloudAccess } from './whatsapp-cloud.access.ts'

const DETAIL_LENGTH = 200

/** What refusals mean by their code; any other is refused for good. */
const KINDS: Record<number, AdapterErrorKind> = {
  0: 'unauthorized', // the token has expired, was taken back, or belongs to an app that is gone
  3: 'unauthorized',
  10: 'unauthorized', // rights are missing
  190: 'unauthorized',
  4: 'rate_limited',
  80007: 'rate_limited',
  130429: 'rate_limited',
  131048: 'rate_limited', // many have called its messages spam
  131056: 'rate_limited', // too many to one customer
  133016: 'rate_limited',
  131026: 'blocked', // no WhatsApp, terms not accepted, or an old app
  131030: 'blocked', // a test number writes to named people only
  131047: 'out_of_window',
  368: 'suspended',
  131031: 'suspended', // the account is locked
  131042: 'suspended', // it has not paid
  131045: 'suspended', // the number is not registered, or its name not approved
  133010: 'suspended',
}
/**
 * A marketing message was withheld from the customer, who can still receive others: they have received enough for now, have opted out, or
 * are part of an experiment.
 */
const ADVERTISING = new Set([131049, 131050, 130472])
/** The wait after the rate limit of one message in six seconds to one customer. */
const WAITS_MS: Record<number, number> = { 131056: 6000 }

/** Creates a caller with its own connections. */
export function createCloudGraph(options: { graphUrl: string; timeoutMs: number }): { ask: Ask; fetch: Fetch } {
  return createGraph({ ...options, accessTokenOf: (token) => readCloudAccess(token).accessToken, errorOf })
}

const PAGE_SIZE = 100
/** The most pages that are read of a list. */
const MAX_PAGES = 10

const page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: z.string().optional() }).optional(), next: z.string().optional() })
    .optional()
    .catch(undefined),
})

/** A list that comes in pages, one page after another. Throws as `Ask` */
export async function* pagesOf(ask: Ask, token: string, path: string): AsyncGenerator<unknown[]> {
  const size = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_SIZE}`
  let after = ''
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const from = after && `&after=${encodeURIComponent(after)}`
    const { data, paging } = await ask(token, { path: size + from }, page)
    yield data
    after = paging?.cursors?.after ?? ''
    if (!paging?.next || after === '') return
  }
}

/** The kind of one of Meta's error codes: of an answer, or of an accepted message that did not arrive. */
export function kindOf(code: number): AdapterErrorKind {
  if (code >= 200 && code <= 299) return 'unauthorized'
  return KINDS[code] ?? 'permanent'
}

/** The description of one of Meta's errors that users see. The screen translates the word before the number. */
export function wordsOf(code: number, detail: string): string {
  return `${ADVERTISING.has(code) ? 'advertising: ' : ''}${code} ${detail}`.trim()
}

function errorOf({ code, details, message }: Refusal): AdapterError {
  const text = wordsOf(code, details || message).slice(0, DETAIL_LENGTH)
  const kind = kindOf(code)
  return new AdapterError(kind, text, kind === 'rate_limited' ? (WAITS_MS[code] ?? null) : null)
}
