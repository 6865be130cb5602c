// Room for work that begins with the transaction that writes it: a reply, or a send.
import type { Id } from '#shared/ids.ts'
import type { OutgoingPart, SendPermit } from '../outbox/deliver.store.ts'
import type { Claim, Turn } from './turn.ts'

/** The turn with which a message is stored as being answered by this process, if nothing else of its conversation is to be answered. */
export type Begun = { turnId: Id<'turns'>; owner: number }

/** Room for one reply, taken before its turn is written. Exactly one of these ends it. */
export type ReplySlot = Begun & {
  /** The turn is written as being answered by this process: it begins. `read`: as it was read in the same transaction. */
  begin(claim: Claim, read: Promise<Turn | undefined>): void
  /** What is claimed by the turn, once its conversation is known. */
  claimOf(conversationId: Claim['conversationId']): Claim
  /** No turn was written as being answered. */
  release(): void
  /** Unknown whether the turn was written: if it stands there, it is given back. */
  giveBack(): void
}

/** Room for one send, taken before its part is written. Exactly one of these ends it. */
export type SendSlot = {
  /** The part is written as being sent by this process: it leaves. */
  begin(part: OutgoingPart, permit: SendPermit): void
  /** No part was written as being sent. */
  release(): void
  /** Unknown whether the part was written. It has definitely not left: if it stands there, it is given back. */
  giveBack(): void
}
