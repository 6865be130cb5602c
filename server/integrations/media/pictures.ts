// Pictures on their way to a provider: small, upright, without what cameras write into them, and never a bomb.
import sharp from 'sharp'
import { MediaFailure } from './failures.ts'

/** Providers shrink larger pictures themselves, and charge for them. Pixels of the longer side. */
const LONGEST_SIDE = 1568
/** A picture with more is not decoded: a small file can unpack to gigabytes. */
const MAX_PIXELS = 40_000_000
const QUALITY = 85

/** A JPEG of what the file shows. @throws MediaFailure damaged */
export async function prepared(bytes: Uint8Array): Promise<Buffer> {
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer()
  } catch {
    throw new MediaFailure('damaged')
  }
}
