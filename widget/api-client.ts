// The way to the server: a session that is kept in this page's own storage, messages, and the stream of the conversation.

import type {
  VisitorChat,
  VisitorIdentity,
  VisitorMessage,
  VisitorRating,
  VisitorSession,
} from '#shared/channels/webchat.ts'
import type { UploadedFile } from '#shared/messaging/attachments.ts'
import { createEventReader } from './events.ts'

/** A refusal with the server's code; `unreachable`: there was no answer. */
export class ApiError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.name = 'DoorError'
    this.code = code
  }
}

export type Follower = {
  onChat(chat: VisitorChat): void
  /** Whether the stream stands. */
  onConnection(isConnected: boolean): void
  /** The widget is no more. */
  onGone(): void
}

/** `onProgress` receives the share that was sent, 0 to 1. */
type Sending = { signal: AbortSignal; onProgress(share: number): void }

const RETRY_MS = { first: 500, most: 15_000 }
/** The server sends something every 20 seconds: a stream that is silent for longer is dead, even if the browser considers it open. */
const SILENT_MS = 50_000
/** Errors for an identity that the site has not signed, or that is malformed. */
const NOT_SIGNED = ['forbidden', 'invalid_arguments']

/** The door of one widget. Requests carry the token of the session that was opened last, and open another when it is over. */
export class ApiClient {
  readonly #key: string
  readonly #storageKey: string
  #identity: VisitorIdentity | null
  #token: string | null
  #renewal: ReturnType<typeof setTimeout> | undefined
  /** This visitor was here before. */
  readonly isReturning: boolean

  /** @param identity who the visitor is, signed by the site; of them nothing is kept in this browser */
  constructor(key: string, identity: VisitorIdentity | null = null) {
    this.#key = key
    this.#identity = identity
    this.#storageKey = `parley-webchat-${key}`
    this.#token = identity ? null : read(this.#storageKey)
    this.isReturning = identity !== null || this.#token !== null
  }

  /** Opens a session, as the visitor who was here before if there was one. @throws DoorError */
  async open(): Promise<VisitorSession> {
    const known = this.#identity ? { identity: this.#identity } : this.#token === null ? {} : { token: this.#token }
    const answer = await this.#post('session', known).catch((error: unknown) => {
      if (!this.#identity || !(error instanceof ApiError && NOT_SIGNED.includes(error.code))) throw error
      console.warn('Parley: the signature of this visitor is not right. See docs/web-chat.md.')
      this.#identity = null
      this.#token = read(this.#storageKey)
      return this.#post('session', this.#token === null ? {} : { token: this.#token })
    })
    const session = (await answer.json()) as VisitorSession
    this.#token = session.token
    if (!this.#identity) write(this.#storageKey, session.token)
    clearTimeout(this.#renewal)
    this.#renewal = setTimeout(() => void this.open().catch(() => undefined), session.renewInMs)
    return session
  }

  /** Sends a message; the same one again changes nothing. Resolves when it is stored. @throws DoorError */
  async send(path: 'messages' | 'person', message: VisitorMessage): Promise<void> {
    // Also when the visitor leaves the page right after.
    await this.#again(() => this.#post(path, message, { keepalive: true }))
  }

  /** Says what the visitor thought of the help, or that they do not want to. @throws DoorError */
  async rate(rating: VisitorRating): Promise<void> {
    await this.#again(() => this.#post('rating', rating))
  }

  /** Stores a file that is going to be sent with a message. @throws DoorError, also when it is broken off */
  upload(file: File, sending: Sending): Promise<UploadedFile> {
    const path = `/api/webchat/${this.#key}/files?${new URLSearchParams({ name: file.name })}`
    return this.#again(() => postFile(path, file, this.#token, sending))
  }

  /** A file of the conversation. @throws DoorError */
  async file(id: string): Promise<Blob> {
    return (await this.#again(() => this.#ask(`files/${id}`, {}))).blob()
  }

  /** Reports that the visitor is typing. Best effort: a lost report has no consequence. */
  tellTyping(): void {
    this.#post('typing', {}).catch(() => undefined)
  }

  /** Follows the conversation until the result is called. Begins with all of it, also after each interruption. */
  follow(follower: Follower): () => void {
    const controller = new AbortController()
    void this.#followUntil(controller.signal, follower)
    return () => controller.abort()
  }

  async #followUntil(signal: AbortSignal, follower: Follower): Promise<void> {
    let pauseMs = RETRY_MS.first
    while (!signal.aborted) {
      const silence = watchSilence()
      const init = { signal: AbortSignal.any([signal, silence.signal]) }
      try {
        const answer = await this.#again(() => this.#ask('chat', init))
        follower.onConnection(true)
        await readEvents(answer, silence.heard, (data) => {
          pauseMs = RETRY_MS.first
          follower.onChat(JSON.parse(data) as VisitorChat)
        })
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiError && error.code === 'not_found') return follower.onGone()
        follower.onConnection(false)
      } finally {
        silence.end()
      }
      // Also after a stream that has ended well: one that ends at once would be opened without end.
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
      pauseMs = Math.min(pauseMs * 2, RETRY_MS.most)
    }
  }

  /** Retries with a new session when the old one has expired. */
  async #again<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
      await this.open()
      return run()
    }
  }

  #post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    return this.#ask(path, {
      ...init,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  async #ask(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#token !== null) headers.set('authorization', `Bearer ${this.#token}`)
    const answer = await fetch(`/api/webchat/${this.#key}/${path}`, { ...init, headers, credentials: 'omit' }).catch(
      () => null,
    )
    if (!answer) throw new ApiError('unreachable')
    if (answer.ok) return answer
    const refusal = (await answer.json().catch(() => ({}))) as { code?: string }
    throw new ApiError(refusal.code ?? 'unreachable')
  }
}

/** Uses XMLHttpRequest: fetch reports no upload progress. */
function postFile(path: string, file: File, token: string | null, sending: Sending): Promise<UploadedFile> {
  const { signal, onProgress } = sending
  const request = new XMLHttpRequest()
  const abort = () => request.abort()
  const answer = new Promise<UploadedFile>((resolve, reject) => {
    request.onload = () => {
      const body = parsed(request.responseText)
      if (request.status === 201) return resolve(body as UploadedFile)
      // A proxy before the server may take less than the server does.
      reject(
        new ApiError(request.status === 413 ? 'file_too_large' : ((body as { code?: string }).code ?? 'unreachable')),
      )
    }
    request.onerror = () => reject(new ApiError('unreachable'))
    request.onabort = () => reject(new ApiError('unreachable'))
  })
  request.open('POST', path)
  if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total)
  signal.addEventListener('abort', abort)
  if (signal.aborted) request.abort()
  else request.send(file)
  return answer.finally(() => signal.removeEventListener('abort', abort))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** `signal` aborts after too long a silence. */
function watchSilence() {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => clearTimeout(timer)
  const heard = () => {
    end()
    timer = setTimeout(() => controller.abort(), SILENT_MS)
  }
  heard()
  return { signal: controller.signal, heard, end }
}

async function readEvents(answer: Response, onHeard: () => void, onData: (data: string) => void): Promise<void> {
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  const feed = createEventReader(onData)
  for (;;) {
    const read = await reader?.read()
    if (!read || read.done) return
    onHeard()
    feed(decoder.decode(read.value, { stream: true }))
  }
}

/** Storage that is refused, as browsers may do in a frame, lasts as long as the page. */
const memory = new Map<string, string>()

/** A text that was kept for this widget. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

/** Keeps a text for this widget. */
export function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    memory.set(key, text)
  }
}
