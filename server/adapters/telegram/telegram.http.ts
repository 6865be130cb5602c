// The HTTP below grammY: our own client in the shape that grammY asks for.
import type { ApiClientOptions } from 'grammy'
import { createHttpClient } from '#server/adapters/http-client.ts'

type Fetch = NonNullable<ApiClientOptions['fetch']>

/** Makes, for one call and its signal, a `fetch` of the little that grammY asks for: JSON out, JSON in. */
export function createTransport(): (signal: AbortSignal) => Fetch {
  const send = createHttpClient()
  return (signal) => {
    const transport = async (url: string, init: { body: string }) => {
      const { text } = await send({ method: 'POST', url, body: init.body, signal })
      return { json: async () => JSON.parse(text) as unknown }
    }
    return transport as unknown as Fetch
  }
}
