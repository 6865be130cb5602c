// Avatars given by address: fetched once through the outbound guard, re-encoded as a small picture, stored and served by us.
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { Services } from '#server/functions/services.ts'
import { OutboundError } from '#server/integrations/http/outbound.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import { AVATAR_MAX_BYTES, AVATAR_SIZE_PIXELS } from '#shared/limits.ts'

const PATH = '/files/avatars/'
const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
/** A picture with more is not decoded: a small file can unpack to gigabytes. */
const MAX_PIXELS = 40_000_000

type Parts = Pick<Services, 'outbound' | 'files'>

/** Stores the picture behind an address. @returns the path under which it is served. @throws AppError avatar_not_loadable */
export async function rehost(parts: Parts, url: string): Promise<string> {
  const picture = await shrink(await fetchPicture(parts, url))
  const name = `${newId()}.webp`
  await parts.files.put(keyOf(name), new Blob([new Uint8Array(picture)]).stream(), AVATAR_MAX_BYTES)
  return PATH + name
}

/** Deletes a stored avatar; a no-op for one of the gallery or none. */
export async function remove(parts: Pick<Parts, 'files'>, avatar: string | null): Promise<void> {
  const key = storedKeyOf(avatar)
  if (key) await parts.files.remove(key)
}

/** The key of an avatar that we store; null for one of the gallery or none. */
export function storedKeyOf(avatar: string | null): string | null {
  return avatar?.startsWith(PATH) ? keyOf(avatar.slice(PATH.length)) : null
}

/** Where the file store keeps the avatar that is served as `name`. */
export function keyOf(name: string): string {
  return `avatar-${name}`
}

async function fetchPicture({ outbound }: Parts, url: string): Promise<Uint8Array> {
  try {
    const bytes = await outbound.get(url, AVATAR_MAX_BYTES)
    const type = await fileTypeFromBuffer(bytes)
    if (type && TYPES.has(type.mime)) return bytes
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
  }
  throw new AppError('avatar_not_loadable')
}

async function shrink(bytes: Uint8Array): Promise<Buffer> {
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize(AVATAR_SIZE_PIXELS, AVATAR_SIZE_PIXELS, { fit: 'cover' })
      .webp()
      .toBuffer()
  } catch {
    throw new AppError('avatar_not_loadable')
  }
}
