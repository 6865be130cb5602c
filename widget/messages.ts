// Messages between the frame and its host page. Each side checks the sender before it looks at the content.

import type { VisitorIdentity } from '#shared/channels/webchat.ts'

/** To the host page: how much room the frame takes, and where. `isShown`: false when the widget was removed. */
export type FrameMessage = { parley: 'frame'; isOpen: boolean; isShown: boolean; position: 'left' | 'right' }
/** To the frame: the host page's script opens or closes the chat. */
export type HostMessage = { parley: 'host'; isOpen: boolean }

/** To the frame: the host page identifies its visitor. */
export type IdentityMessage = { parley: 'identity'; identity: VisitorIdentity }

/** To the frame: the host page no longer knows its visitor. */
export type ForgetMessage = { parley: 'forget' }

/** Longer than any valid signature: the server does not read unbounded input. */
const IDENTITY_MAX = 1000

/** Whether a message identifies the visitor. The server verifies the claim. */
export function isIdentityMessage(data: unknown): data is IdentityMessage {
  if (typeof data !== 'object' || data === null) return false
  const { parley, identity } = data as Partial<IdentityMessage>
  if (parley !== 'identity' || typeof identity !== 'object' || identity === null) return false
  const { userId, name, hash } = identity
  return [userId, hash, name === undefined ? '' : name].every(
    (text) => typeof text === 'string' && text.length <= IDENTITY_MAX,
  )
}

/** Whether a message drops the visitor's identity. */
export function isForgetMessage(data: unknown): data is ForgetMessage {
  return typeof data === 'object' && data !== null && (data as Partial<ForgetMessage>).parley === 'forget'
}

/** Whether a message is one of the host page. */
export function isHostMessage(data: unknown): data is HostMessage {
  if (typeof data !== 'object' || data === null) return false
  const { parley, isOpen } = data as Partial<HostMessage>
  return parley === 'host' && typeof isOpen === 'boolean'
}
