// Pictures of agents, people and organizations, given by address or as a file: re-encoded as a small still picture without what cameras
// write into it, stored and served by us.
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
  if (!picture) throw new AppError('avatar_not_loadable')
  return store(parts, picture)
}

/** Stores the picture in a file. @returns the path under which it is served. @throws AppError picture_not_readable */
export async function keep(parts: Pick<Parts, 'files'>, bytes: Uint8Array): Promise<string> {
  const picture = (await isPicture(bytes)) ? await shrink(bytes) : null
  if (!picture) throw new AppError('picture_not_readable')
  return store(parts, picture)
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
    if (await isPicture(bytes)) return bytes
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
  }
  throw new AppError('avatar_not_loadable')
}

/** By its first bytes, whatever its name says. */
async function isPicture(bytes: Uint8Array): Promise<boolean> {
  const type = await fileTypeFromBuffer(bytes)
  return type !== undefined && TYPES.has(type.mime)
}

/** The first frame, upright, square and small, with no metadata. Null: it cannot be decoded, or is too large for that. */
async function shrink(bytes: Uint8Array): Promise<Buffer | null> {
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize(AVATAR_SIZE_PIXELS, AVATAR_SIZE_PIXELS, { fit: 'cover' })
      .webp()
      .toBuffer()
  } catch {
    return null
  }
}

async function store({ files }: Pick<Parts, 'files'>, picture: Buffer): Promise<string> {
  const name = `${newId()}.webp`
  await files.put(keyOf(name), new Blob([new Uint8Array(picture)]).stream(), AVATAR_MAX_BYTES)
  return PATH + name
}
