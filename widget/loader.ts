// The script that a site embeds: puts the chat into the corner of the page, in a frame of its own origin, and lets the frame set its size.
// Reads only the language of the page, and sets no cookie.
//
//   <script async src="https://HOST/widget.js" data-key="KEY" data-lang="auto"></script>
//   or, where a tag manager drops such attributes: src="https://HOST/widget.js?key=KEY"
//   window.parley('open') · window.parley('close') · window.parley('identify', { userId, name, hash }) · window.parley('forget')
//   data-user-id, data-user-name and data-user-hash identify from the start
import type { VisitorIdentity } from '#shared/channels/webchat.ts'
import type { ForgetMessage, FrameMessage, HostMessage, IdentityMessage } from './messages.ts'
import { keepOnPage } from './page-keeper.ts'

declare global {
  interface Window {
    parley?: (command: 'open' | 'close' | 'identify' | 'forget', visitor?: VisitorIdentity) => void
  }
}

type Placing = Pick<FrameMessage, 'isOpen' | 'position'>

/** Pixels: the button alone, and the whole chat. */
const CLOSED = 88
const OPEN = { width: 400, height: 640 }
/** The open chat fills pages narrower than this. */
const NARROW = 480

function start(script: HTMLScriptElement): void {
  // A page that swaps its body runs the script of the new body again.
  if (window.parley) return
  const { lang, userId, userName, userHash } = script.dataset
  const language = !lang || lang === 'auto' ? document.documentElement.lang || navigator.language : lang
  const { origin, searchParams } = new URL(script.src)
  const key = script.dataset.key || searchParams.get('key')
  if (!key) {
    console.warn('The chat is not shown: its script has neither data-key nor ?key=')
    return
  }
  const frame = document.createElement('iframe')
  const query = new URLSearchParams({ lang: language, host: location.origin })
  frame.src = `${origin}/widget/${encodeURIComponent(key)}?${query}`
  frame.title = /^ru\b/i.test(language) ? 'Чат' : 'Chat'
  frame.referrerPolicy = 'origin'
  // Set one by one: a policy against inline styles blocks the attribute, not the properties.
  Object.assign(frame.style, {
    position: 'fixed',
    bottom: '0',
    border: '0',
    zIndex: '2147483000',
    colorScheme: 'light dark',
  })
  place(frame, { isOpen: false, position: 'right' })
  frame.style.visibility = 'hidden'

  let identity: IdentityMessage | ForgetMessage | undefined
  const know = (visitor: VisitorIdentity) => {
    identity = { parley: 'identity', identity: visitor }
  }
  if (userId && userHash) know({ userId, hash: userHash, ...(userName && { name: userName }) })
  let wanted: HostMessage | undefined
  let shown: Placing | undefined
  /** Sends the known identity and the wanted state, as soon as the frame listens. */
  const tell = () => {
    if (!shown) return
    for (const message of [identity, wanted]) if (message) frame.contentWindow?.postMessage(message, origin)
    wanted = undefined
  }

  window.addEventListener('message', (event) => {
    if (event.source !== frame.contentWindow || event.origin !== origin) return
    const message = event.data as Partial<FrameMessage> | null
    if (message?.parley !== 'frame' || typeof message.isOpen !== 'boolean') return
    shown = { isOpen: message.isOpen, position: message.position === 'left' ? 'left' : 'right' }
    // Even an empty frame would intercept clicks.
    frame.style.visibility = message.isShown === false ? 'hidden' : 'visible'
    place(frame, shown)
    tell()
  })
  window.addEventListener('resize', () => shown && place(frame, shown))
  window.parley = (command, known) => {
    if (command === 'identify') known && know(known)
    else if (command === 'forget') identity = { parley: 'forget' }
    else wanted = { parley: 'host', isOpen: command === 'open' }
    tell()
  }
  keepOnPage(frame, () => {
    // When attached again, the frame reloads and reports when it listens.
    if (shown?.isOpen) wanted ??= { parley: 'host', isOpen: true }
    shown = undefined
    frame.style.visibility = 'hidden'
  })
}

function place(frame: HTMLIFrameElement, { isOpen, position }: Placing): void {
  const isNarrow = innerWidth < NARROW
  const size = (open: number, whole: string) =>
    isOpen ? (isNarrow ? whole : `min(${open}px, ${whole})`) : `${CLOSED}px`
  Object.assign(frame.style, {
    width: size(OPEN.width, '100vw'),
    height: size(OPEN.height, '100dvh'),
    left: position === 'left' ? '0' : 'auto',
    right: position === 'left' ? 'auto' : '0',
  })
}

/** A module and a script that was copied into another have no current one. */
const script =
  document.currentScript ??
  document.querySelector('script[src*="/widget.js"][data-key], script[src*="/widget.js?key="]')
if (script instanceof HTMLScriptElement) {
  if (document.body) start(script)
  else document.addEventListener('DOMContentLoaded', () => start(script))
}
