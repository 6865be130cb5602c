// The body of a request from outside, up to a size.
import type { Context } from 'hono'

/** The body as it came, for a signature covers every byte; null: more than `maxBytes`, and the rest is not read. */
export async function readText(c: Context, maxBytes: number): Promise<string | null> {
  const announced = c.req.header('content-length')
  if (announced !== undefined && Number(announced) > maxBytes) return null
  return announced === undefined ? readCounted(c.req.raw.body, maxBytes) : c.req.text()
}

/** A body whose length was not announced is counted while it comes. */
async function readCounted(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.length
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
