// Logos and icons: drawn again from the file that was given, without what cameras write into it, as PNG, which letters and home screens take.
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { FileStore } from '#server/platform/files/files.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import { BRAND_PICTURE_MAX_BYTES, type BrandPicture } from '#shared/organizations/branding.ts'

const PATH = '/files/brands/'
/** No SVG: it could hold a script, or fetch from elsewhere. */
const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
/** A picture with more is not decoded: a small file can unpack to gigabytes. */
const MAX_PIXELS = 40_000_000
/** A logo is shown 32 pixels high; this is enough for three of the screen's pixels for one. */
const LOGO = { width: 640, height: 96 }
/** What home screens ask for. */
const ICON_PIXELS = 512
/** Of the PNG that is kept. */
const KEPT_MAX_BYTES = 4 * BRAND_PICTURE_MAX_BYTES

/** Stores a picture. @returns the path under which it is served. @throws AppError picture_not_readable */
export async function keepBrandPicture(files: FileStore, picture: BrandPicture, bytes: Uint8Array): Promise<string> {
  const type = await fileTypeFromBuffer(bytes)
  const drawn = type && TYPES.has(type.mime) ? await draw(picture, bytes) : null
  if (!drawn) throw new AppError('picture_not_readable')
  const name = `${newId()}.png`
  await files.put(keyOf(name), new Blob([new Uint8Array(drawn)]).stream(), KEPT_MAX_BYTES)
  return PATH + name
}

/** Where the file store keeps the picture that is served as `name`. */
export function keyOf(name: string): string {
  return `brand-${name}`
}

/** Where the file store keeps pictures, by their paths; those that are not ours are left out. */
export function keysOf(paths: (string | null)[]): string[] {
  return paths.flatMap((path) => (path?.startsWith(PATH) ? [keyOf(path.slice(PATH.length))] : []))
}

/** Null: it cannot be decoded, or is too large for that. */
async function draw(picture: BrandPicture, bytes: Uint8Array): Promise<Buffer | null> {
  try {
    const upright = sharp(bytes, { limitInputPixels: MAX_PIXELS }).rotate()
    if (picture === 'icon') {
      const background = { r: 0, g: 0, b: 0, alpha: 0 }
      return await upright.resize(ICON_PIXELS, ICON_PIXELS, { fit: 'contain', background }).png().toBuffer()
    }
    return await upright.resize(LOGO.width, LOGO.height, { fit: 'inside', withoutEnlargement: true }).png().toBuffer()
  } catch {
    return null
  }
}
