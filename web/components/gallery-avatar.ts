// Pictures of the avatar gallery: drawn here from a style and a seed, so no other service ever sees them.
import { createAvatar, type Style } from '@dicebear/core'
import * as glass from '@dicebear/glass'
import * as rings from '@dicebear/rings'
import * as shapes from '@dicebear/shapes'
import * as thumbs from '@dicebear/thumbs'

/** Styles of the gallery, in the order in which they are offered. */
export const GALLERY_STYLES = ['thumbs', 'shapes', 'glass', 'rings'] as const
export type GalleryStyle = (typeof GALLERY_STYLES)[number]

const PREFIX = 'gallery:'
const drawn = new Map<string, string>()

/** The stored form of a gallery picture: `gallery:<style>:<seed>`. */
export function galleryAvatar(style: GalleryStyle, seed: string): string {
  return `${PREFIX}${style}:${seed}`
}

/** Style and seed of a stored gallery picture; null for a URL and for anything malformed. */
export function parseGalleryAvatar(avatar: string): { style: GalleryStyle; seed: string } | null {
  if (!avatar.startsWith(PREFIX)) return null
  const [styleName, ...rest] = avatar.slice(PREFIX.length).split(':')
  const style = GALLERY_STYLES.find((each) => each === styleName)
  const seed = rest.join(':')
  return style && seed ? { style, seed } : null
}

/** What an `<img>` shows for a stored avatar; null when initials are to be shown instead. */
export function avatarSource(avatar: string | null): string | null {
  if (!avatar) return null
  if (!avatar.startsWith(PREFIX)) return avatar
  const known = drawn.get(avatar)
  if (known) return known
  const parsed = parseGalleryAvatar(avatar)
  if (!parsed) return null
  const source = draw(parsed.style, parsed.seed)
  drawn.set(avatar, source)
  return source
}

/** `count` gallery pictures of a style; another `page` gives others, the same page the same. */
export function galleryPage(style: GalleryStyle, page: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => galleryAvatar(style, `${page * count + index + 1}`))
}

/** Each style has options of its own; all take a seed and a size. */
function draw(style: GalleryStyle, seed: string): string {
  const options = { seed, size: 96 }
  switch (style) {
    case 'thumbs':
      return createAvatar(thumbs, {
        ...options,
        backgroundColor: ['b6e3f4', 'c0aede', 'd1d4f9', 'ffd5dc', 'ffdfbf'],
      }).toDataUri()
    case 'shapes':
      return createAvatar(shapes, options).toDataUri()
    case 'glass':
      return createAvatar(glass, options).toDataUri()
    case 'rings':
      return createAvatar(rings as Style<rings.Options>, { ...options, backgroundColor: ['f1f0ec'] }).toDataUri()
    default:
      return style satisfies never
  }
}
