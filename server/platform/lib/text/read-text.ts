// The body of a request from outside, up to a size.

/** With an answer to a request whose body, or the rest of it, is not read. */
export const UNREAD = { connection: 'close' }

/** Bytes that a request announces to send; undefined where it does not say. */
export function announcedBytes({ headers }: Pick<Request, 'headers'>): number | undefined {
  const announced = headers.get('content-length')
  return announced === null ? undefined : Number(announced)
}

/** The body as it came, for a signature covers every byte; null: more than `maxBytes`, and the rest is not read. */
export async function readText(request: Request, maxBytes: number): Promise<string | null> {
  const announced = announcedBytes(request)
  if (announced !== undefined && !(announced <= maxBytes)) return null
  return announced === undefined ? readCounted(request.body, maxBytes) : request.text()
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
