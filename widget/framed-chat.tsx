// The chat in the corner of a host page: a button, and the window that it opens.
import { useEffect, useMemo, useRef, useState } from 'react'
import type { VisitorChat, VisitorIdentity, WidgetLanguage } from '#shared/channels/webchat.ts'
import { ApiClient, read, write } from './api-client.ts'
import { ChatWindow } from './chat-window.tsx'
import { listenToHost, tellHost } from './frame.ts'
import { ChatIcon } from './icons.tsx'
import { TEXTS } from './texts.ts'
import { useAccent } from './use-accent.ts'
import { useChat } from './use-chat.ts'

type FramedVisitorProps = { widgetKey: string; language: WidgetLanguage; host: string }
type FramedChatProps = FramedVisitorProps & { door: ApiClient; isOpen: boolean; setOpen(isOpen: boolean): void }

/** The chat of the visitor that the host page identifies: another visitor gets another chat, and only whether it is open is kept. */
export function FramedVisitor({ widgetKey, language, host }: FramedVisitorProps) {
  const [identity, setIdentity] = useState<VisitorIdentity | null>(null)
  const [isOpen, setOpen] = useState(false)
  const doorKey = JSON.stringify(identity)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same visitor, identified again, keeps the client
  const door = useMemo(() => new ApiClient(widgetKey, identity), [widgetKey, doorKey])
  useEffect(() => listenToHost(host, { onOpen: setOpen, onIdentity: setIdentity }), [host])
  const shown = { door, widgetKey, language, host, isOpen, setOpen }
  return <FramedChat key={doorKey} {...shown} />
}

/** Requests as much room from the host page as it needs. A removed widget shows a notice while it is open, and otherwise nothing at all. */
function FramedChat({ door, widgetKey, language, host, isOpen, setOpen }: FramedChatProps) {
  const wasOpened = useRef(isOpen)
  wasOpened.current ||= isOpen
  // A visitor who opened it may have asked something: the answer shows on the closed button.
  const isFollowed = wasOpened.current || door.isReturning
  const state = useChat(door, language, isOpen ? 'open' : isFollowed ? 'closed' : 'no')
  const { widget, chat, isGone } = state
  const unread = useUnread(widgetKey, chat, isOpen)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const position = widget?.position
  useAccent(widget?.color)
  useEffect(() => {
    if (position) tellHost(host, { parley: 'frame', isOpen, isShown: isOpen || !isGone, position })
  }, [host, isOpen, position, isGone])
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  if (!widget) return null
  if (isOpen) return <ChatWindow state={state} widget={widget} language={language} onClose={() => setOpen(false)} />
  if (isGone) return null
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

/**
 * Messages that arrived since the chat was last open here or in another tab, and since the visitor last wrote: a visitor on another device,
 * or without browser storage, has read everything before their own message there.
 */
function useUnread(key: string, chat: VisitorChat | null, isOpen: boolean): number {
  const storageKey = `parley-webchat-${key}-read`
  const [readAt, setReadAt] = useState(() => Number(read(storageKey) ?? 0))
  const foreign = chat?.bubbles.filter(({ author }) => author !== 'customer') ?? []
  const newestAt = foreign.at(-1)?.at ?? 0
  const writtenAt = chat?.bubbles.findLast(({ author }) => author === 'customer')?.at ?? 0
  useEffect(() => {
    const onStorage = ({ key: changed, newValue }: StorageEvent) => {
      if (changed === storageKey) setReadAt(Number(newValue ?? 0))
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [storageKey])
  useEffect(() => {
    if (!isOpen || newestAt <= readAt) return
    write(storageKey, String(newestAt))
    setReadAt(newestAt)
  }, [isOpen, newestAt, readAt, storageKey])
  return isOpen ? 0 : foreign.filter(({ at }) => at > Math.max(readAt, writtenAt)).length
}
