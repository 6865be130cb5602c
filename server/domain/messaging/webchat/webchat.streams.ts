// Which of the web chat's visitors have news to see? One look at the commits serves all of them, however many wait.
import type { Change, Database } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import { listChats, type OpenStreams, type VisitorChatKey } from './webchat.streams.store.ts'

/** Commits within this time are handled together. */
const GATHER_MS = 40
/** The longest that a visitor waits when every notification of a commit is lost. */
const LOOK_EVERY_MS = 5000

/** A visitor whose conversation is watched. */
export type Watcher = VisitorChatKey & {
  /** Null before the first message. */
  conversationId: Id<'conversations'> | null
  /** The conversation may have changed. */
  onChange(): void
  /** The server stops. */
  onClose(): void
}

/** Ids. `any`: something of it has changed. `rows`: its own row has. Null: everything may have changed. */
type ChangedConversations = { any: Set<unknown>; rows: Set<unknown> } | null

/** Listens from the first watcher on, and stops when the last has left. */
export class VisitorStreams {
  readonly #database: Database
  readonly #logger: Logger
  readonly #watchers = new Set<Watcher>()
  /** Per connection, the last recorded number of open streams. */
  readonly #recorded = new Map<Id<'channelConnections'>, number>()
  #position: string | null = null
  #timer: NodeJS.Timeout | undefined
  #interval: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #stopListening: (() => void) | undefined

  constructor(database: Database, logger: Logger) {
    this.#database = database
    this.#logger = logger
  }

  /** @returns the function that ends it */
  watch(watcher: Watcher): () => void {
    if (this.#watchers.size === 0) this.#begin()
    this.#watchers.add(watcher)
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.#rest()
    }
  }

  /** Connections whose number of watchers has changed since it was last recorded. */
  unreported(): OpenStreams[] {
    const open = new Map([...this.#recorded.keys()].map((id) => [id, 0]))
    for (const { connectionId } of this.#watchers) open.set(connectionId, (open.get(connectionId) ?? 0) + 1)
    return [...open].flatMap(([connectionId, count]) =>
      count === (this.#recorded.get(connectionId) ?? 0) ? [] : { connectionId, open: count },
    )
  }

  /** Call it once these counts are recorded. */
  tell(counts: OpenStreams[]): void {
    for (const { connectionId, open } of counts) {
      if (open === 0) this.#recorded.delete(connectionId)
      else this.#recorded.set(connectionId, open)
    }
  }

  /** Ends all watching, and waits for the look in progress. */
  async close(): Promise<void> {
    for (const watcher of [...this.#watchers]) watcher.onClose()
    this.#rest()
    await this.#looking
  }

  #begin(): void {
    this.#position = null
    this.#stopListening = this.#database.onCommit(() => this.#lookSoon())
    this.#interval = setInterval(() => this.#lookSoon(), LOOK_EVERY_MS).unref()
    this.#lookSoon()
  }

  #rest(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
    clearInterval(this.#interval)
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #lookSoon(): void {
    if (this.#watchers.size === 0) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#looking) this.#lookSoon()
      else this.#looking = this.#look().finally(() => (this.#looking = null))
    }, GATHER_MS)
  }

  async #look(): Promise<void> {
    try {
      const changes = await this.#database.snapshot(async (snapshot) => {
        const found = this.#position === null ? null : await snapshot.changesSince(this.#position)
        this.#position = snapshot.position
        return found
      })
      const changed = conversationsIn(changes)
      const concerns = judge(changed, await this.#listBegun(changed))
      for (const watcher of [...this.#watchers]) if (concerns(watcher)) watcher.onChange()
    } catch (error) {
      this.#position = null // what was missed is unknown: the next look concerns all watchers
      this.#logger.warn({ err: error }, 'visitors of the web chat were not notified of changes')
    }
  }

  /** One query for all who have not written yet: otherwise each would look for their conversation at every message of another visitor. */
  async #listBegun(changed: ChangedConversations): Promise<VisitorChatKey[]> {
    if (changed === null || changed.rows.size === 0) return []
    const fresh = [...this.#watchers].filter(({ conversationId }) => conversationId === null)
    if (fresh.length === 0) return []
    const connectionIds = [...new Set(fresh.map(({ connectionId }) => connectionId))]
    return this.#database.system(
      'web chat: whose conversations have begun',
      (db) => listChats({ db }, { connectionIds, conversationIds: [...changed.rows].map(String) }),
      { readOnly: true, statements: 1 },
    )
  }
}

/** By table, the column with the conversation's id. */
const CONVERSATION_IN: Partial<Record<string, string>> = {
  conversations: 'id',
  conversation_ratings: 'conversation_id',
  conversation_typing: 'conversation_id',
  messages: 'conversation_id',
  turns: 'conversation_id',
  outbox: 'conversation_id',
}

/**
 * Whom these changes concern; null: everything may have changed. `begun`: the chats of visitors among them, for watchers that do not know
 * their conversation yet.
 */
export function judge(
  changed: ChangedConversations,
  begun: VisitorChatKey[],
): (watcher: VisitorChatKey & Pick<Watcher, 'conversationId'>) => boolean {
  if (changed === null) return () => true
  const chats = new Set(begun.map(nameOf))
  return (watcher) =>
    watcher.conversationId === null ? chats.has(nameOf(watcher)) : changed.any.has(watcher.conversationId)
}

/** The conversations that changes concern; null: everything may have changed. */
export function conversationsIn(changes: Change[] | null): ChangedConversations {
  if (changes === null) return null
  const any = new Set<unknown>()
  const rows = new Set<unknown>()
  for (const { table, keys } of changes) {
    const column = CONVERSATION_IN[table]
    if (column === undefined) continue
    if (keys === null) return null
    for (const key of keys) {
      any.add(key[column])
      if (table === 'conversations') rows.add(key.id)
    }
  }
  return { any, rows }
}

function nameOf({ connectionId, visitorId }: VisitorChatKey): string {
  return `${connectionId} ${visitorId}`
}
