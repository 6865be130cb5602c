// The raw body of a request that is one picture.
import { announcedBytes } from '#server/platform/lib/text/read-text.ts'
import { AppError } from '#shared/errors.ts'

/** The body, as long as it is not longer than allowed. @throws AppError `code` for a longer one, file_empty */
export async function readPicture(
  request: Request,
  maxBytes: number,
  code: 'picture_too_large' | 'brand_picture_too_large' = 'picture_too_large',
): Promise<Uint8Array> {
  const tooLarge = () => new AppError(code, { maxBytes })
  if ((announcedBytes(request) ?? 0) > maxBytes) throw tooLarge()
  if (!request.body) throw new AppError('file_empty')
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of request.body) {
    size += piece.byteLength
    if (size > maxBytes) throw tooLarge()
    pieces.push(piece)
  }
  if (size === 0) throw new AppError('file_empty')
  return Buffer.concat(pieces, size)
}
