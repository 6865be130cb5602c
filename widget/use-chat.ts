// What the chat shows: the conversation as the server tells it, and behind it what is still on its way there.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type {
  VisitorBubble,
  VisitorChat,
  VisitorRating,
  VisitorSession,
  WidgetLanguage,
} from '#shared/channels/webchat.ts'
import { TYPING_REPORT_EVERY_MS } from '#shared/limits.ts'
import { type ApiClient, ApiError } from './api-client.ts'
import { useIsDatabaseDown } from './use-database.ts'
import { type ReadyFile, type Uploads, useUploads } from './use-uploads.ts'

/** A message that the conversation does not show yet. `sent`: the server has it; `expired`: what it carries is not stored any more. */
export type Pending = Omit<VisitorBubble, 'files'> & {
  files: ReadyFile[]
  path: 'messages' | 'person'
  state: 'sending' | 'sent' | 'failed' | 'too_many' | 'expired'
}

export type ChatState = {
  /** Null until the session is open. */
  widget: VisitorSession['widget'] | null
  chat: VisitorChat | null
  pending: Pending[]
  isConnected: boolean
  isGone: boolean
  /** The server's database is unavailable: nothing is stored, and nothing new is shown. */
  isDatabaseDown: boolean
  isPersonTyping: boolean
  /** Files of the next message. */
  uploads: Uploads
  /** A file of the conversation. Rejects when it cannot be had. */
  loadFile(id: string): Promise<Blob>
  /** Called on every change of what the visitor is typing. */
  onType(): void
  /** Hides the question at once; shows it again when the rating was not stored. */
  rate(rating: VisitorRating): void
  /** Sends a text with what was uploaded; one that calls a person takes no files along. */
  send(text: string, path?: Pending['path']): void
  /** Resends a failed message under the same id. */
  retry(message: Pending): void
}

const ENDS: Partial<Record<string, Pending['state']>> = { rate_limited: 'too_many', upload_expired: 'expired' }

/** `open`: before the visitor's eyes; `closed`: it shows on the button what is new. */
export type Following = 'no' | 'closed' | 'open'

/** The chat behind a door; followed while it is wanted and the tab may be looked at. */
export function useChat(door: ApiClient, language: WidgetLanguage, following: Following): ChatState {
  const [widget, setWidget] = useState<VisitorSession['widget'] | null>(null)
  const [chat, setChat] = useState<VisitorChat | null>(null)
  const [pending, setPending] = useState<Pending[]>([])
  const [isConnected, setConnected] = useState(true)
  const [isGone, setGone] = useState(false)
  const isVisible = useVisible()
  const isFollowed = following !== 'no'
  const isPersonTyping = usePersonTyping(chat)
  const onType = useTypingReports(door, chat?.person != null)
  const uploads = useUploads(door)
  const queue = useRef(Promise.resolve())
  const isDatabaseDown = useIsDatabaseDown(following === 'open' && isVisible && !isGone)

  useEffect(
    () => openUntil(door, { onOpen: (session) => setWidget(session.widget), onGone: () => setGone(true) }),
    [door],
  )
  useEffect(() => {
    if (!isFollowed || !widget || !isVisible) return
    const onChat = (next: VisitorChat) => {
      setChat(next)
      setPending((all) => all.filter(({ id }) => !next.bubbles.some((bubble) => bubble.id === id)))
    }
    return door.follow({ onChat, onConnection: setConnected, onGone: () => setGone(true) })
  }, [door, isFollowed, widget, isVisible])

  async function deliver(message: Pending) {
    const mark = (state: Pending['state']) =>
      setPending((all) => all.map((each) => (each.id === message.id ? { ...each, state } : each)))
    mark('sending')
    try {
      const { id, text, files } = message
      await door.send(message.path, { id, text, language, files: files.map(({ ticket }) => ticket) })
      mark('sent') // the stream alone shows the conversation: what another answer says of it may be older than what was shown
    } catch (error) {
      const code = error instanceof ApiError ? error.code : ''
      if (code === 'not_found' || code === 'connection_disconnected') setGone(true) // sent again, it would fail for ever
      mark(ENDS[code] ?? 'failed')
    }
  }
  // One after another, so that they arrive in the order in which they were written.
  const enqueue = (message: Pending) => {
    queue.current = queue.current.then(() => deliver(message))
  }
  useSentAgain(pending, isDatabaseDown, enqueue)
  return {
    widget,
    chat,
    pending,
    isConnected,
    isGone,
    isDatabaseDown,
    isPersonTyping,
    uploads,
    loadFile: (id) => door.file(id),
    onType,
    rate(rating) {
      setChat((shown) => shown && { ...shown, isRatingAsked: false })
      door.rate(rating).catch(() => setChat((shown) => shown && { ...shown, isRatingAsked: true }))
    },
    send(text, path = 'messages') {
      const files = path === 'person' ? [] : uploads.take()
      const written = { id: newMessageId(), author: 'customer', text, at: Date.now() } as const
      const message: Pending = { ...written, files, path, state: 'sending' }
      setPending((all) => [...all, message])
      enqueue(message)
    },
    retry: enqueue,
  }
}

/** Once the database answers again, what it could not store is sent again, as the same messages. */
function useSentAgain(pending: Pending[], isDatabaseDown: boolean, send: (message: Pending) => void): void {
  const latest = useRef({ pending, send })
  useEffect(() => {
    latest.current = { pending, send }
  })
  const wasDown = useRef(false)
  useEffect(() => {
    const isOver = wasDown.current && !isDatabaseDown
    wasDown.current = isDatabaseDown
    if (!isOver) return
    const { pending, send } = latest.current
    for (const message of pending) if (message.state === 'failed') send(message)
  }, [isDatabaseDown])
}

/**
 * Whether this tab may be looked at. Tabs behind it hold no stream: browsers and the server allow only a few at once, and the one that is
 * looked at needs its own.
 */
function useVisible(): boolean {
  const subscribe = (onChange: () => void) => {
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }
  return useSyncExternalStore(subscribe, () => document.visibilityState !== 'hidden')
}

/** Expires the last typing signal of an operator. */
function usePersonTyping(chat: VisitorChat | null): boolean {
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    const leftMs = chat?.personTypingMs ?? 0
    setTyping(leftMs > 0)
    if (leftMs <= 0) return
    const timer = setTimeout(() => setTyping(false), leftMs)
    return () => clearTimeout(timer)
  }, [chat])
  return isTyping
}

/** Tells now and then that the visitor types, while a person answers. */
function useTypingReports(door: ApiClient, isReported: boolean): () => void {
  const reportedAt = useRef(0)
  return () => {
    if (!isReported || Date.now() - reportedAt.current < TYPING_REPORT_EVERY_MS) return
    reportedAt.current = Date.now()
    door.tellTyping()
  }
}

const OPEN_AGAIN_MS = 3000

/** Opens the session, again and again while the server does not answer. @returns the function that gives up */
function openUntil(
  door: ApiClient,
  { onOpen, onGone }: { onOpen(session: VisitorSession): void; onGone(): void },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const attempt = async () => {
    try {
      const session = await door.open()
      if (!isOver) onOpen(session)
    } catch (error) {
      if (isOver) return
      if (error instanceof ApiError && error.code === 'not_found') onGone()
      else timer = setTimeout(attempt, OPEN_AGAIN_MS)
    }
  }
  void attempt()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Random, also where pages without https have no `randomUUID`. */
function newMessageId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
