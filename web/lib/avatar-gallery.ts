// Pictures drawn from a seed on this device. Heavy: import it lazily.
import { createAvatar, type Style } from '@dicebear/core'
import * as glass from '@dicebear/glass'
import * as rings from '@dicebear/rings'
import * as shapes from '@dicebear/shapes'
import * as thumbs from '@dicebear/thumbs'

const STYLES: Record<string, Style<object>> = { glass, rings, shapes, thumbs }

/** The picture as a `data:` URL; undefined for an unknown style. The same text gives the same picture for ever. */
export function galleryPicture(avatar: string): string | undefined {
  const [, styleName = '', ...seed] = avatar.split(':')
  const style = STYLES[styleName]
  return style && createAvatar(style, { seed: seed.join(':'), size: 96 }).toDataUri()
}
