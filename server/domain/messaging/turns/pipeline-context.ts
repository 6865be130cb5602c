// What the steps of the pipeline are given.

import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext, StoreContext, TransactionOptions } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import type { ConnectionActivity } from '../delivery/connection-activity.ts'
import type { OutgoingPart } from '../delivery/deliver.store.ts'
import type { ReplySlot, SendSlot } from './slots.ts'

/** What the way of a message uses of the product's services. */
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
  | 'secrets'
  | 'publicUrl'
  | 'outbound'
>

export interface PipelineContext {
  services: PipelineServices
  logger: Logger
  /** Of the usual waits before something is asked or tried again, 1 being all. Below 1 only for tests. */
  waitShare: number
  /** Number of this server process among those that live; 0 before the start. */
  owner(): number
  /** A transaction of one organization. READ COMMITTED: the stores lock the rows that they rely on. */
  organization<T>(
    organizationId: Id<'organizations'>,
    run: (store: OrgStoreContext) => Promise<T>,
    options?: Pick<TransactionOptions, 'skipsDispatch'>,
  ): Promise<T>
  /**
   * One transaction and one round trip for statements that do not wait for one another: each function sends exactly one.
   * @returns the answer of the first
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
  /** Reads of one organization, at one moment. `statements` as of `TransactionOptions`. */
  read<T>(
    organizationId: Id<'organizations'>,
    run: (store: OrgStoreContext) => Promise<T>,
    options?: Pick<TransactionOptions, 'statements'>,
  ): Promise<T>
  /** Reads over all organizations, at one moment; one statement, or as many as are said. Unlike `system` it wakes nobody. */
  look<T>(
    purpose: string,
    run: (store: StoreContext) => Promise<T>,
    options?: Pick<TransactionOptions, 'statements'>,
  ): Promise<T>
  connectionActivity: ConnectionActivity
  /** Room for a part that leaves with the transaction that writes it; null: there is none, the part is claimed. */
  reserveSend(connectionId: Id<'channelConnections'>, id: Id<'outbox'>): SendSlot | null
  /** Room for a reply that begins with the transaction that stores its message; null: there is none, the turn is claimed. */
  reserveReply(organizationId: Id<'organizations'>): ReplySlot | null
  wake: {
    /** A turn is due: look at once. */
    turns(): void
    /** These parts were claimed for this process in the transaction that made them. */
    parts(parts: OutgoingPart[]): void
    /** Something in the outbox is due: look at once. */
    outbox(): void
  }
}
