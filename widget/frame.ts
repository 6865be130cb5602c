// Whether the chat stands in a frame, and talking to the page around it.
import { type FrameMessage, isHostMessage } from './messages.ts'

/** Where and how this page is shown, read off its address. */
export type Place = {
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
    key: decodeURIComponent(key),
    language: query.get('lang') ?? navigator.language,
    host: kind === 'widget' ? (host ?? 'null') : null,
  }
}

/** Tells the page around how much room to give. */
export function tellHost(host: string, message: FrameMessage): void {
  if (host !== 'null') window.parent.postMessage(message, host)
}

/** Listens to the page around, and to nobody else. @returns the function that stops it */
export function listenToHost(host: string, onOpen: (isOpen: boolean) => void): () => void {
  const listener = (event: MessageEvent) => {
    if (event.source !== window.parent || event.origin !== host || !isHostMessage(event.data)) return
    onOpen(event.data.isOpen)
  }
  window.addEventListener('message', listener)
  return () => window.removeEventListener('message', listener)
}
