// The stored form of gallery pictures and what is drawn for it.
import { describe, expect, it } from 'vitest'
import { avatarSource, GALLERY_STYLES, galleryAvatar, galleryPage, parseGalleryAvatar } from './gallery-avatar.ts'

describe('a gallery avatar', () => {
  it('is read back as it was stored, also with colons in the seed', () => {
    expect(parseGalleryAvatar(galleryAvatar('rings', 'a:b'))).toEqual({ style: 'rings', seed: 'a:b' })
  })

  it.each(['gallery:', 'gallery:thumbs', 'gallery:thumbs:', 'gallery:nonsense:1', 'https://example.com/a.png', ''])(
    'is not read from %j',
    (avatar) => {
      expect(parseGalleryAvatar(avatar)).toBeNull()
    },
  )

  it.each(GALLERY_STYLES)('of style %s is drawn locally and alike every time', (style) => {
    const source = avatarSource(galleryAvatar(style, '7'))
    expect(source).toMatch(/^data:image\/svg\+xml/)
    expect(avatarSource(galleryAvatar(style, '7'))).toBe(source)
    expect(avatarSource(galleryAvatar(style, '8'))).not.toBe(source)
  })

  it('leaves a picture of our own as it is, and shows initials for none or an unknown style', () => {
    expect(avatarSource('/files/avatars/1.png')).toBe('/files/avatars/1.png')
    expect(avatarSource(null)).toBeNull()
    expect(avatarSource('gallery:nonsense:1')).toBeNull()
  })

  it('has pages that do not repeat each other', () => {
    const two = [...galleryPage('shapes', 0, 8), ...galleryPage('shapes', 1, 8)]
    expect(new Set(two).size).toBe(16)
  })
})
