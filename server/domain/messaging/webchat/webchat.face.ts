// The picture of the agent that a web chat shows.
import type { Widget } from '#server/domain/channels/webchat/webchat.store.ts'

/** Headers of a drawn picture. Its address changes with the picture; opened by itself it can run nothing. */
export const FACE_HEADERS = {
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=86400',
}

type Face = Pick<Widget, 'avatar' | 'settings'>

/** The address of the picture for visitors; null: the widget shows none. A gallery picture has an address of its own at the widget. */
export function faceAddress(key: string, { avatar, settings }: Face): string | null {
  if (!settings.hasAvatar || avatar === null) return null
  return isDrawn(avatar) ? `/api/webchat/${key}/face?of=${encodeURIComponent(avatar)}` : avatar
}

/** The agent's gallery picture as SVG; undefined where the widget shows none or another. */
export async function drawFace({ avatar, settings }: Face): Promise<string | undefined> {
  if (!settings.hasAvatar || avatar === null || !isDrawn(avatar)) return undefined
  const { drawAvatar } = await import('#shared/agents/avatar-gallery.ts')
  return drawAvatar(avatar)
}

function isDrawn(avatar: string): boolean {
  return avatar.startsWith('gallery:')
}
