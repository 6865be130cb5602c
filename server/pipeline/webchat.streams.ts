// Who of the web chat's visitors has something new to see? One look at what was committed serves all of them, however many wait.
import type { Change, Database } from '#server/db/database.ts'
import type { Logger } from '#server/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import type { OpenStreams } from './webchat.streams.store.ts'

/** Commits within so long are looked at together. */
const GATHER_MS = 40
/** The longest that a visitor waits when every hint of a commit is lost. */
const LOOK_EVERY_MS = 5000

/** A visitor whose conversation is watched. */
export type Watcher = {
  connectionId: Id<'channelConnections'>
  organizationId: Id<'organizations'>
  /** Null before the first message: then any new conversation of the organization may be theirs. */
  conversationId: Id<'conversations'> | null
  /** Something of the conversation may have changed. */
  onChange(): void
  /** The server stops. */
  onClose(): void
}

/** Watches from the first watcher on, and rests when the last has gone. */
export class VisitorStreams {
  readonly #database: Database
  readonly #logger: Logger
  readonly #watchers = new Set<Watcher>()
  /** By connection, how many were told to be open. */
  readonly #told = new Map<Id<'channelConnections'>, number>()
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

  /** Connections that are watched by more or fewer than was told last. */
  untold(): OpenStreams[] {
    const open = new Map([...this.#told.keys()].map((id) => [id, 0]))
    for (const { connectionId } of this.#watchers) open.set(connectionId, (open.get(connectionId) ?? 0) + 1)
    return [...open].flatMap(([connectionId, count]) =>
      count === (this.#told.get(connectionId) ?? 0) ? [] : { connectionId, open: count },
    )
  }

  /** These counts are written down. */
  tell(counts: OpenStreams[]): void {
    for (const { connectionId, open } of counts) {
      if (open === 0) this.#told.delete(connectionId)
      else this.#told.set(connectionId, open)
    }
  }

  /** Ends all watching, and waits for the look that is under way. */
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
      const concerns = judge(changes)
      for (const watcher of [...this.#watchers]) if (concerns(watcher)) watcher.onChange()
    } catch (error) {
      this.#position = null // what was missed is unknown: the next look concerns everybody
      this.#logger.warn({ err: error }, 'visitors of the web chat were not told of changes')
    }
  }
}

/** By table, the column in which the conversation stands. */
const CONVERSATION_IN: Partial<Record<string, string>> = {
  conversations: 'id',
  messages: 'conversation_id',
  turns: 'conversation_id',
  outbox: 'conversation_id',
}

/** Whom these changes concern; null: everything may have changed. */
export function judge(
  changes: Change[] | null,
): (watcher: Pick<Watcher, 'organizationId' | 'conversationId'>) => boolean {
  if (changes === null) return () => true
  const conversations = new Set<unknown>()
  const organizations = new Set<unknown>()
  for (const { table, keys } of changes) {
    const column = CONVERSATION_IN[table]
    if (column === undefined) continue
    if (keys === null) return () => true
    for (const key of keys) {
      conversations.add(key[column])
      if (table === 'conversations') organizations.add(key.organization_id)
    }
  }
  return ({ conversationId, organizationId }) =>
    conversationId === null ? organizations.has(organizationId) : conversations.has(conversationId)
}
