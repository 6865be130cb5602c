// Pictures drawn from a seed. Heavy: import it when one is drawn.
import { createAvatar, type Style } from '@dicebear/core'
import * as glass from '@dicebear/glass'
import * as rings from '@dicebear/rings'
import * as shapes from '@dicebear/shapes'
import * as thumbs from '@dicebear/thumbs'

const STYLES = new Map<string, Style<object>>(Object.entries({ glass, rings, shapes, thumbs }))
const SIZE_PX = 96

/** The picture `gallery:<style>:<seed>` as SVG; undefined for an unknown style. The same text gives the same picture for ever. */
export function drawAvatar(avatar: string): string | undefined {
  const [, styleName = '', ...seed] = avatar.split(':')
  const style = STYLES.get(styleName)
  return style && createAvatar(style, { seed: seed.join(':'), size: SIZE_PX }).toString()
}
