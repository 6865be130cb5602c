// Whether the chat is in a frame, and the messages to and from the host page.
import type { VisitorIdentity } from '#shared/channels/webchat.ts'
import { type FrameMessage, isForgetMessage, isHostMessage, isIdentityMessage } from './messages.ts'

/** Where and how this page is shown, parsed from its address. */
export type Place = {
  /** As written in the address: decoded, it could name any path of the server. */
  key: string
  /** Language tag of the host page; the browser's where there is none. */
  language: string
  /** Origin of the host page; null: the chat is a page of its own. */
  host: string | null
}

/** Parses the address. The host page names its own origin; a false one only keeps it from receiving anything. */
export function readPlace(location: Location): Place {
  const [, kind = '', key = ''] = location.pathname.split('/')
  const query = new URLSearchParams(location.search)
  const host = URL.parse(query.get('host') ?? '')?.origin
  return {
    key,
    language: query.get('lang') ?? navigator.language,
    host: kind === 'widget' ? (host ?? 'null') : null,
  }
}

/** Tells the host page how much room to give. */
export function tellHost(host: string, message: FrameMessage): void {
  if (host !== 'null') window.parent.postMessage(message, host)
}

type HostListener = { onOpen?(isOpen: boolean): void; onIdentity?(identity: VisitorIdentity | null): void }

/** Listens to the host page only. @returns the function that stops it */
export function listenToHost(host: string, { onOpen, onIdentity }: HostListener): () => void {
  const listener = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || origin !== host) return
    if (isHostMessage(data)) onOpen?.(data.isOpen)
    if (isForgetMessage(data)) onIdentity?.(null)
    if (!isIdentityMessage(data)) return
    const { userId, name, hash } = data.identity
    onIdentity?.({ userId, hash, ...(name !== undefined && { name }) })
  }
  window.addEventListener('message', listener)
  return () => window.removeEventListener('message', listener)
}
