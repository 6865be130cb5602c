// SQL of customers' edits of their messages. Before the answer the edited text is the one to answer; after it, only the record changes.
import { sql } from 'kysely'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationStatus } from '#shared/messaging/conversations.ts'
import { forgetTranslations } from '../conversations/translations.store.ts'
import { changeRating } from '../conversations/writes/rating-row.store.ts'
import { changePreview, changeText, moveToEnd } from '../conversations/writes/received-message.store.ts'
import { editOf, lockEdits } from '../inbound-events/edits.store.ts'
import { keepNotification } from '../inbound-events/notifications.store.ts'
import { requestTurnBehind } from '../turns/turn-requests.store.ts'

/** An edit of an earlier message. */
export type InboundEdit = Extract<Inbound, { kind: 'edit' }>

/** `isDue`: the answer that is being generated is stale. `waiting`: the conversation whose turn waits; null when none does. */
export type Edited = { isDue: boolean; waiting: Id<'conversations'> | null }

/**
 * `findNewest`: the latest edit of the same message, of all that have arrived. `findConnection`: the connection under which the
 * conversation is stored. `findConversation`: the conversation of the message, where a customer may have several.
 */
type ReceivedEdit = {
  inbound: InboundEdit
  payload: unknown
  findNewest(ctx: OrgStoreContext): Promise<InboundEdit | undefined>
  findConnection(ctx: OrgStoreContext): Promise<Id<'channelConnections'>>
  findConversation?(ctx: OrgStoreContext): Promise<Id<'conversations'> | undefined>
}

const UNCHANGED: Edited = { isDue: false, waiting: null }

/**
 * Stores an edit of an earlier message. An edit of a message that has not arrived is kept until it does. No effect for a duplicate, and
 * after a later edit. An edited rating still needs no answer.
 *
 * 0. The message's edit lock is taken: the message does not arrive meanwhile, and finds the edit when it does.
 * 1. The conversation's row is locked: no answer is finished, and no message numbered, meanwhile.
 * 2. The pending turn's row is locked: a runner that would claim it skips it, and reads the new text later.
 * 3. A running turn may have read the old text. The message moves to the end, as if sent now, and a pending turn answers it: the running
 *    one finds itself superseded, as by any further message.
 */
export async function storeEdit(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  edit: ReceivedEdit,
): Promise<Edited> {
  const { inbound, payload, findNewest } = edit
  const { externalKey } = inbound
  await lockEdits(ctx, connectionId, inbound)
  const notification = { externalKey, status: 'ignored', payload, editOf: editOf(inbound) } as const
  if (!(await keepNotification(ctx, connectionId, notification))) return UNCHANGED
  const newest = await findNewest(ctx)
  if (newest && newest.externalKey !== externalKey) return UNCHANGED
  const conversation = await holdChanged(ctx, edit)
  if (!conversation) return UNCHANGED
  const { hasPending, hasRunning } = await holdTurns(ctx, conversation.id)
  const message = await changeWords(ctx, conversation, inbound)
  if (!message) return UNCHANGED
  const isAwaited = message.isOpen && conversation.status === 'active'
  if (isAwaited && hasRunning) await requeue(ctx, conversation.id, inbound)
  return {
    isDue: isAwaited && hasRunning,
    waiting: isAwaited && (hasRunning || hasPending) ? conversation.id : null,
  }
}

/** The same for a message that this transaction has stored, which no turn has read yet. */
export async function changeStored(
  ctx: OrgStoreContext,
  homeId: Id<'channelConnections'>,
  inbound: InboundEdit,
): Promise<void> {
  const conversation = await holdConversation(ctx, homeId, inbound.chatId)
  if (conversation) await changeWords(ctx, conversation, inbound)
}

/** Changes a message's text and what derives from it. @returns undefined when the message is missing or has this text already */
async function changeWords(
  ctx: OrgStoreContext,
  conversation: Held,
  inbound: InboundEdit,
): Promise<{ isOpen: boolean } | undefined> {
  const changed = await sql<{ isOpen: boolean }>`
    with changed as (
      ${changeText(ctx, conversation.id, inbound)}
    ), forgotten as (
      ${forgetTranslations(ctx)}
    )
    select sequence > ${conversation.answeredThrough}::bigint and reason is distinct from 'rating' as "isOpen" from changed`.execute(
    ctx.db,
  )
  const [message] = changed.rows
  if (!message) return undefined
  await changePreview(ctx, conversation.id, inbound)
  await changeRating(ctx, conversation.id, inbound.externalMessageId)
  return message
}

type Held = { id: Id<'conversations'>; status: ConversationStatus; answeredThrough: number }

/** Locks the conversation of the message, found before any lock so that only one is ever locked; else that of the chat. */
async function holdChanged(
  ctx: OrgStoreContext,
  { inbound, findConnection, findConversation }: ReceivedEdit,
): Promise<Held | undefined> {
  const id = await findConversation?.(ctx)
  if (id === undefined) return holdConversation(ctx, await findConnection(ctx), inbound.chatId)
  const held = await sql<Held>`
    select id, status, answered_through as "answeredThrough" from conversations
    where organization_id = ${ctx.organizationId} and id = ${id} for update`.execute(ctx.db)
  return held.rows[0]
}

async function holdConversation(ctx: OrgStoreContext, connectionId: Id<'channelConnections'>, chatId: string) {
  const held = await sql<Held>`
    select id, status, answered_through as "answeredThrough" from conversations
    where organization_id = ${ctx.organizationId} and connection_id = ${connectionId} and external_chat_id = ${chatId}
    for update`.execute(ctx.db)
  return held.rows[0]
}

async function holdTurns(ctx: OrgStoreContext, conversationId: Id<'conversations'>) {
  const held = await sql<{ status: 'pending' | 'running' }>`
    select status from turns
    where organization_id = ${ctx.organizationId} and conversation_id = ${conversationId} and status in ('pending', 'running')
      and kind = 'reply'
    order by status for update`.execute(ctx.db)
  const statuses = held.rows.map(({ status }) => status)
  return { hasPending: statuses.includes('pending'), hasRunning: statuses.includes('running') }
}

async function requeue(ctx: OrgStoreContext, conversationId: Id<'conversations'>, inbound: InboundEdit): Promise<void> {
  await moveToEnd(ctx, conversationId, inbound.externalMessageId)
  await requestTurnBehind(ctx, conversationId)
}
