// A file that somebody outside has named by its address, for channels whose messages come with addresses instead of files.

import { type Outbound, OutboundError } from '#server/integrations/http/outbound.ts'
import { AdapterError } from './adapter-error.ts'

/** Statuses below 500 that say nothing about the next time. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429])

/** No secret goes there. @throws AdapterError without the address, `permanent` for one that is gone or larger than `maxBytes` */
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
