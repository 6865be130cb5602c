// What a message sets going once it is stored, in the transaction that stores it: no answer can begin between the two.
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { handOffChat } from '#server/domain/messaging/handoff/handoffs.store.ts'
import type { InboundMessage } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { splitForward } from '#shared/messaging/forwards.ts'
import { keepAliases } from '../customers/customer-changes.store.ts'
import { keepComment } from '../ratings/ratings.store.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { ReplySlot } from '../turns/slots.ts'
import { findTurn } from '../turns/turn.store.ts'
import type { Claim } from '../turns/turn.ts'
import { applyCustomerCommand } from './apply-customer-command.ts'
import { applyEarlyEdits } from './receive.edits.ts'
import type { Stored } from './receive.store.ts'
import { hasAliases } from './resolve.ts'

/** A reply that begins at once: its claim, and the turn, which is read together with the commit. */
export type Beginning = { claim: Claim; read: ReturnType<typeof findTurn> }

/** A stored message. `homeId`: the connection its conversation is found by. `comment`: on the rating before; null: it is none. */
export type Persisted = {
  ctx: PipelineContext
  store: OrgStoreContext
  connection: StoredConnection
  inbound: InboundMessage
  homeId: StoredConnection['id']
  stored: Stored
  comment: string | null
  slot: ReplySlot | null
}

/** `text`: of the message as it was changed before it came. `isDue`: a turn is to be answered now. `isSettled`: nothing more follows. */
type Reactions = { text: string; isDue: boolean; begins: Beginning | null; isSettled: boolean }

type Reaction = (message: Persisted, so: Reactions) => void | Promise<void>

/** In this order; after one that settles the message none follows. */
const REACTIONS: Reaction[] = [
  rememberAliases,
  takeEarlyEdits,
  addRatingComment,
  callPerson,
  leaveAnswered,
  applyCommand,
  beginReply,
]

/** @returns whether a turn is due now, and the reply that begins; null: none does */
export async function react(message: Persisted): Promise<Pick<Reactions, 'isDue' | 'begins'>> {
  const so: Reactions = { text: message.inbound.text, isDue: message.stored.isDue, begins: null, isSettled: false }
  for (const reaction of REACTIONS) {
    if (!so.isSettled) await reaction(message, so)
  }
  return so
}

async function rememberAliases({ ctx, store, connection, inbound, stored }: Persisted): Promise<void> {
  if (stored.isNew && hasAliases(ctx, connection)) await keepAliases(store, connection.id, inbound.sender)
}

async function takeEarlyEdits(message: Persisted, so: Reactions): Promise<void> {
  const { ctx, store, connection, inbound, homeId, stored } = message
  if (stored.isNew && stored.isEdited) so.text = await applyEarlyEdits(ctx, store, connection, { inbound, homeId })
}

async function addRatingComment({ store, connection, inbound, stored, comment }: Persisted): Promise<void> {
  if (comment !== null && stored.isNew) await keepComment(store, connection.id, inbound.externalKey, comment)
}

async function callPerson({ store, connection, inbound, stored }: Persisted, so: Reactions): Promise<void> {
  if (!inbound.callsPerson || inbound.isAnswered || !stored.isNew) return
  await handOffChat(store, { connectionId: connection.id, chatId: inbound.chatId })
  so.isSettled = true
}

/** The channel itself has answered it. */
function leaveAnswered({ inbound }: Persisted, so: Reactions): void {
  so.isSettled = inbound.isAnswered === true
}

async function applyCommand({ store, connection, inbound, stored }: Persisted, so: Reactions): Promise<void> {
  const { silent, waiting, settings } = stored
  const text = splitForward(so.text, inbound.forwarded).own
  const isApplied = await applyCustomerCommand(store, connection, {
    ...{ silent, waiting, settings, text },
    isPressed: inbound.pressed !== undefined,
  })
  so.isDue ||= isApplied
}

/** Sent last and not waited for: the turn is answered together with the commit, and costs the reply no transaction of its own. */
function beginReply({ store, stored, slot }: Persisted, so: Reactions): void {
  if (!slot || !stored.begun) return
  const claim = slot.claimOf(stored.begun)
  const read = findTurn(store, claim)
  read.catch(() => undefined) // reported by the commit, which then fails, or by the reply
  so.begins = { claim, read }
}
