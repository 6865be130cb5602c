// State of conversations, answering everyone who asks within a few milliseconds with one query.
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** The state of a conversation. */
export type Standing = {
  id: string
  folder: string
  /** A deleted one counts as ended. */
  status: string
  /** Sequence of its newest message. */
  newest: number
  busyTurns: number
  openParts: number
  /** A part is being sent at this moment. */
  isSending: boolean
  /** A timer is due. */
  isDue: boolean
  /** It is paused, but not indefinitely. */
  isResuming: boolean
  /** Something is scheduled. */
  waits: boolean
}

/** A chat of a connection. */
type Asked = { connectionId: string; chatId: string }
type Question = Asked & { resolve(standing: Standing): void; reject(error: unknown): void }

/** How long questions are gathered into one query. */
const GATHER_MS = 12
/** Poll interval of a waiter. */
const AGAIN_MS = 20

/** Answers with what was committed before the question. */
export class Poller {
  readonly #database: Database
  /** When all waiters look again. */
  #again: Promise<void> | null = null
  #questions: Question[] = []
  #isLooking = false

  constructor(database: Database) {
    this.#database = database
  }

  look(asked: Asked): Promise<Standing> {
    return new Promise((resolve, reject) => {
      this.#questions.push({ ...asked, resolve, reject })
      if (!this.#isLooking) void this.#lookWhileAsked()
    })
  }

  /** Resolves after a poll interval, for all waiters at once: they look in one query. */
  again(): Promise<void> {
    this.#again ??= setTimeout(AGAIN_MS).then(() => {
      this.#again = null
    })
    return this.#again
  }

  async #lookWhileAsked(): Promise<void> {
    this.#isLooking = true
    while (this.#questions.length > 0) {
      await setTimeout(GATHER_MS)
      const questions = this.#questions
      this.#questions = []
      await this.#answer(questions)
    }
    this.#isLooking = false
  }

  async #answer(questions: Question[]): Promise<void> {
    try {
      const ids = [...new Set(questions.map(({ connectionId }) => connectionId))]
      const found = await this.#find(ids)
      for (const { chatId, resolve, reject } of questions) {
        const standing = found.get(chatId)
        if (standing) resolve(standing)
        else reject(new Error('the conversation is not there'))
      }
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
  }

  async #find(connectionIds: string[]): Promise<Map<string, Standing>> {
    // As an administrator, without tenant scopes: a single statement is a transaction.
    const { rows } = await sql<Standing & { chatId: string }>`
          select c.external_chat_id as "chatId", c.id, c.folder,
            case c.folder when 'deleted' then 'ended' else c.status end as status,
            (select coalesce(max(m.sequence), 0)::int from messages m
              where m.organization_id = c.organization_id and m.conversation_id = c.id) as newest,
            (select count(*)::int from turns t where t.conversation_id = c.id and t.status = 'pending')
              + (select count(*)::int from turns t where t.conversation_id = c.id and t.status = 'running') as "busyTurns",
            (select count(*)::int from outbox o
              where o.conversation_id = c.id and o.status in ('queued', 'claimed', 'sending')) as "openParts",
            exists (select from outbox o where o.conversation_id = c.id and o.status = 'sending') as "isSending",
            exists (select from conversation_follow_ups f where f.conversation_id = c.id and f.due_at <= now())
              or exists (select from conversation_ratings r where r.conversation_id = c.id and r.ask_at <= now())
              or (c.status = 'paused' and coalesce(c.resume_at <= now(), false)) as "isDue",
            (c.status = 'paused' and c.resume_at is not null) as "isResuming",
            exists (select from turns t
              where t.conversation_id = c.id and t.status = 'pending' and t.not_before > now())
              or exists (select from outbox o
                where o.conversation_id = c.id and o.status = 'queued' and o.not_before > now()) as waits
          from conversations c where c.connection_id = any (${connectionIds}::text[])`.execute(this.#database.root)
    return new Map(rows.map((row) => [row.chatId, row]))
  }
}
