// Whether the chat stands in a frame, and talking to the page around it.
import type { VisitorIdentity } from '#shared/channels/webchat.ts'
import { type FrameMessage, isForgetMessage, isHostMessage, isIdentityMessage } from './messages.ts'

/** Where and how this page is shown, read off its address. */
export type Place = {
  /** As it stands in the address: decoded, it could name any path of the server. */
  key: string
  /** Language tag of the page around; of the browser where there is none. */
  language: string
  /** Origin of the page around; null: the chat is a page of its own. */
  host: string | null
}

/** Reads the address. The page around says where it comes from; a lie only keeps it from hearing anything. */
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

/** Tells the page around how much room to give. */
export function tellHost(host: string, message: FrameMessage): void {
  if (host !== 'null') window.parent.postMessage(message, host)
}

type HostListener = { onOpen?(isOpen: boolean): void; onIdentity?(identity: VisitorIdentity | null): void }

/** Listens to the page around, and to nobody else. @returns the function that stops it */
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
