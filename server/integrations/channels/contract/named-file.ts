// A file at an address that an outside party supplied, for channels whose messages carry addresses instead of files.

import { type Outbound, OutboundError } from '#server/integrations/http/outbound.ts'
import { AdapterError } from './adapter-error.ts'

/** Statuses below 500 that may be different at the next attempt. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429])

/** Sends no secret. @throws AdapterError without the address, `permanent` for one that is gone or larger than `maxBytes` */
export async function fetchNamedFile(
  outbound: Outbound,
  url: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    return (await outbound.fetch(url, { maxBytes, signal })).body
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { status } = error
    const isFinal = status === null ? /more than|not a /.test(error.message) : status < 500 && !MAY_PASS.has(status)
    throw new AdapterError(isFinal ? 'permanent' : 'temporary', 'the file is not given out')
  }
}
