// The context that the steps of the pipeline receive.

import type { ConnectionActivity } from '#server/domain/channels/health/connection-activity.ts'
import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext, StoreContext, TransactionOptions } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import type { OutgoingPart } from '../outbox/deliver.store.ts'
import type { ReplySlot, SendSlot } from './slots.ts'

/** The services that the pipeline uses. */
type PipelineServices = Pick<
  Services,
  | 'database'
  | 'jobs'
  | 'files'
  | 'llm'
  | 'media'
  | 'embeddings'
  | 'reranker'
  | 'retrieval'
  | 'searches'
  | 'webSearch'
  | 'channels'
  | 'googleCalendar'
  | 'secrets'
  | 'publicUrl'
  | 'outbound'
>

export interface PipelineContext {
  services: PipelineServices
  logger: Logger
  /** Factor for waits before polls and retries, 1 by default. Below 1 only in tests. */
  waitShare: number
  /** Number of this server process among the live ones; 0 before the start. */
  owner(): number
  /** A transaction of one organization. READ COMMITTED: the stores lock the rows that they rely on. */
  organization<T>(
    organizationId: Id<'organizations'>,
    run: (store: OrgStoreContext) => Promise<T>,
    options?: Pick<TransactionOptions, 'skipsDispatch'>,
  ): Promise<T>
  /**
   * One transaction and one round trip for independent statements: each function sends exactly one.
   * @returns the result of the first
   */
  together<T>(
    organizationId: Id<'organizations'>,
    first: (store: OrgStoreContext) => Promise<T>,
    others: ((store: OrgStoreContext) => Promise<unknown>)[],
    options?: Pick<TransactionOptions, 'skipsDispatch'>,
  ): Promise<T>
  /** A transaction over all organizations, for claims and housekeeping. `statements` as of `TransactionOptions`. */
  system<T>(
    purpose: string,
    run: (store: StoreContext) => Promise<T>,
    options?: Pick<TransactionOptions, 'statements' | 'skipsDispatch'>,
  ): Promise<T>
  /** Reads of one organization in one snapshot. `statements` as of `TransactionOptions`. */
  read<T>(
    organizationId: Id<'organizations'>,
    run: (store: OrgStoreContext) => Promise<T>,
    options?: Pick<TransactionOptions, 'statements'>,
  ): Promise<T>
  /** Reads over all organizations in one snapshot; one statement, or as many as `statements` says. Unlike `system` it causes no wake-up. */
  look<T>(
    purpose: string,
    run: (store: StoreContext) => Promise<T>,
    options?: Pick<TransactionOptions, 'statements'>,
  ): Promise<T>
  connectionActivity: ConnectionActivity
  /** A slot for a part that is sent right after the transaction that inserts it; null without room: the part is to be claimed. */
  reserveSend(connectionId: Id<'channelConnections'>, id: Id<'outbox'>): SendSlot | null
  /** A slot for a reply that starts with the transaction that stores its message; null without room: the turn is to be claimed. */
  reserveReply(organizationId: Id<'organizations'>): ReplySlot | null
  wake: {
    /** A turn is due: check at once. */
    turns(): void
    /** These parts were claimed for this process in the transaction that inserted them. */
    parts(parts: OutgoingPart[]): void
    /** A part in the outbox is due: check at once. */
    outbox(): void
  }
}

/** What the making of an answer needs of it. */
export type AnsweringContext = Pick<PipelineContext, 'services' | 'read' | 'organization'> & {
  logger: Pick<Logger, 'error' | 'warn'>
}
