// Pictures that we host under random names that are never reused: knowing the name grants access, and nothing about one ever changes.
import type { Context } from 'hono'

/** Answers with the bytes of a picture, for good; 404 when they cannot be read. `type`: of the content. */
export async function answerKeptPicture(
  c: Context,
  type: 'image/webp' | 'image/png',
  read: () => Promise<Uint8Array>,
): Promise<Response> {
  try {
    return c.body(new Uint8Array(await read()), 200, {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  } catch {
    return c.json({ code: 'not_found' }, 404)
  }
}
