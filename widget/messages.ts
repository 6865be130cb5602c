// What the frame and the page around it tell each other. Each side checks who speaks before it looks at what is said.

import type { VisitorIdentity } from '#shared/channels/webchat.ts'

/** To the page around: how much room the frame takes, and where. `isShown`: false when there is no chat any more. */
export type FrameMessage = { parley: 'frame'; isOpen: boolean; isShown: boolean; position: 'left' | 'right' }
/** To the frame: the page's own script opens or closes the chat. */
export type HostMessage = { parley: 'host'; isOpen: boolean }

/** To the frame: the page around knows who its visitor is. */
export type IdentityMessage = { parley: 'identity'; identity: VisitorIdentity }

/** To the frame: the page around does not know its visitor any more. */
export type ForgetMessage = { parley: 'forget' }

/** Longer than any signature that is right: the server does not read words without end. */
const IDENTITY_MAX = 1000

/** Whether the page around says who its visitor is. Whether that is true is for the server to say. */
export function isIdentityMessage(data: unknown): data is IdentityMessage {
  if (typeof data !== 'object' || data === null) return false
  const { parley, identity } = data as Partial<IdentityMessage>
  if (parley !== 'identity' || typeof identity !== 'object' || identity === null) return false
  const { userId, name, hash } = identity
  return [userId, hash, name === undefined ? '' : name].every(
    (text) => typeof text === 'string' && text.length <= IDENTITY_MAX,
  )
}

/** Whether the page around forgets who its visitor is. */
export function isForgetMessage(data: unknown): data is ForgetMessage {
  return typeof data === 'object' && data !== null && (data as Partial<ForgetMessage>).parley === 'forget'
}

/** Whether these are words of the page around. */
export function isHostMessage(data: unknown): data is HostMessage {
  if (typeof data !== 'object' || data === null) return false
  const { parley, isOpen } = data as Partial<HostMessage>
  return parley === 'host' && typeof isOpen === 'boolean'
}
