// The HTTP below grammY: our own client behind the interface that grammY expects, and the download of files, which is not an API method.
import type { ApiClientOptions } from 'grammy'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { createHttpClient, TooLargeError } from '#server/integrations/http/http-client.ts'

type Fetch = NonNullable<ApiClientOptions['fetch']>
/** JSON as a text; a form with a file as a stream with its own content type. */
type GrammyRequest = { body: string | AsyncIterable<Uint8Array>; headers: Record<string, string> }

export interface Transport {
  /** A `fetch` for one call and its signal, with only the features that grammY uses. */
  fetch(signal: AbortSignal): Fetch
  /** Downloads a file. @throws AdapterError `permanent` for one that is gone or larger than `maxBytes` */
  download(url: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>
}

/** A transport with its own connections. */
export function createTransport(): Transport {
  const send = createHttpClient()
  return {
    fetch(signal) {
      const transport = async (url: string, { body, headers }: GrammyRequest) => {
        const given =
          typeof body === 'string'
            ? body
            : { bytes: await collect(body), contentType: headers['content-type'] ?? 'application/octet-stream' }
        const { text } = await send({ method: 'POST', url, body: given, signal })
        return { json: async () => JSON.parse(text) as unknown }
      }
      return transport as unknown as Fetch
    },

    async download(url, maxBytes, signal) {
      try {
        const { status, bytes } = await send({ method: 'GET', url, maxBytes, signal })
        if (status === 200) return bytes
        if (status === 429) throw new AdapterError('rate_limited', 'files are given out too often', 1000)
        throw new AdapterError(status >= 500 ? 'temporary' : 'permanent', `the file server answered ${status}`)
      } catch (error) {
        if (error instanceof TooLargeError) throw new AdapterError('permanent', 'the file is too large')
        throw error
      }
    },
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
