// The calls of Graph as Instagram's API makes them, and what its failures mean.
// @source developers.facebook.com/docs/messenger-platform/error-codes
import { AdapterError, type AdapterErrorKind } from '#server/integrations/channels/contract/adapter-error.ts'
import { type Ask, createGraph, type Refusal } from '#server/integrations/channels/meta/graph.ts'
import { readInstagramAccess } from './instagram.access.ts'

const DETAIL_LENGTH = 200

/** What refusals mean by their subcode, which takes precedence over the code. */
const BY_SUBCODE: Record<number, AdapterErrorKind> = {
  2018278: 'out_of_window',
  2534022: 'out_of_window',
  1545041: 'blocked', // wants no messages from this account
  2018001: 'blocked', // no user has this id, or they have never written
  2018108: 'blocked',
  2534014: 'blocked', // has left Instagram, or blocked the account
}
/** By the code; any other is refused for good. */
const BY_CODE: Record<number, AdapterErrorKind> = {
  1: 'unknown_outcome', // "unknown error" is also returned for messages that have arrived
  2: 'unknown_outcome',
  3: 'unauthorized',
  4: 'rate_limited',
  10: 'unauthorized', // rights are missing
  17: 'rate_limited',
  32: 'rate_limited',
  102: 'unauthorized',
  190: 'unauthorized', // the token has run out, or was taken back
  230: 'permanent', // of a person: they have not agreed to be looked at
  368: 'suspended',
  551: 'blocked', // cannot be reached at this time
  613: 'rate_limited',
  1200: 'unknown_outcome',
  80002: 'rate_limited',
  80006: 'rate_limited',
}

/** Creates a caller with its own connections. */
export function createInstagramGraph(options: { graphUrl: string; timeoutMs: number }): Ask {
  return createGraph({ ...options, accessTokenOf: (token) => readInstagramAccess(token).accessToken, errorOf }).ask
}

function errorOf({ code, subcode, details, message }: Refusal): AdapterError {
  const numbers = subcode === null ? code : `${code}/${subcode}`
  return new AdapterError(kindOf(code, subcode), `${numbers} ${details || message}`.trim().slice(0, DETAIL_LENGTH))
}

function kindOf(code: number, subcode: number | null): AdapterErrorKind {
  const known = (subcode === null ? undefined : BY_SUBCODE[subcode]) ?? BY_CODE[code]
  return known ?? (code >= 200 && code <= 299 ? 'unauthorized' : 'permanent')
}
