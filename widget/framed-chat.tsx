// The chat in the corner of somebody's page: a button, and the window that it opens.
import { useEffect, useMemo, useRef, useState } from 'react'
import type { VisitorChat, VisitorIdentity, WidgetLanguage } from '#shared/webchat.ts'
import { ChatWindow } from './chat-window.tsx'
import { Door, read, write } from './door.ts'
import { listenToHost, tellHost } from './frame.ts'
import { ChatIcon } from './icons.tsx'
import { TEXTS } from './texts.ts'
import { useAccent } from './use-accent.ts'
import { useChat } from './use-chat.ts'

type FramedChatProps = { door: Door; widgetKey: string; language: WidgetLanguage; host: string }

/** The chat of whoever the page around says its visitor is: another visitor has another chat, of which nothing remains here. */
export function FramedVisitor({ widgetKey, language, host }: Omit<FramedChatProps, 'door'>) {
  const [identity, setIdentity] = useState<VisitorIdentity | null>(null)
  const doorKey = JSON.stringify(identity)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same visitor, told again, goes on through the same door
  const door = useMemo(() => new Door(widgetKey, identity), [widgetKey, doorKey])
  useEffect(() => listenToHost(host, { onIdentity: setIdentity }), [host])
  return <FramedChat key={doorKey} door={door} widgetKey={widgetKey} language={language} host={host} />
}

/** Asks the page around for as much room as it needs. A widget that is no more shows nothing at all. */
function FramedChat({ door, widgetKey, language, host }: FramedChatProps) {
  const [isOpen, setOpen] = useState(false)
  const state = useChat(door, language, isOpen || door.isReturning)
  const { widget, chat, isGone } = state
  const unread = useUnread(widgetKey, chat, isOpen)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const position = widget?.position
  useAccent(widget?.color)
  useEffect(() => listenToHost(host, { onOpen: setOpen }), [host])
  useEffect(() => {
    if (position && !isGone) tellHost(host, { parley: 'frame', isOpen, position })
  }, [host, isOpen, position, isGone])
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  if (!widget || isGone) return null
  if (isOpen) return <ChatWindow state={state} widget={widget} language={language} onClose={() => setOpen(false)} />
  const texts = TEXTS[language]
  return (
    <button
      ref={button}
      type="button"
      className="launcher"
      aria-label={unread > 0 ? texts.unread(unread) : texts.open}
      onClick={() => setOpen(true)}
    >
      <ChatIcon />
      {unread > 0 && (
        <span className="unread" aria-hidden="true">
          {unread > 9 ? '9+' : unread}
        </span>
      )}
    </button>
  )
}

/** Messages that came since the chat was last open. */
function useUnread(key: string, chat: VisitorChat | null, isOpen: boolean): number {
  const storageKey = `parley-webchat-${key}-read`
  const [readAt, setReadAt] = useState(() => Number(read(storageKey) ?? 0))
  const foreign = chat?.bubbles.filter(({ author }) => author !== 'customer') ?? []
  const newestAt = foreign.at(-1)?.at ?? 0
  useEffect(() => {
    if (!isOpen || newestAt <= readAt) return
    write(storageKey, String(newestAt))
    setReadAt(newestAt)
  }, [isOpen, newestAt, readAt, storageKey])
  return isOpen ? 0 : foreign.filter(({ at }) => at > readAt).length
}
