// SQL of the messages of a conversation as they are read.
import type { Selectable } from 'kysely'
import type { OrgQueryContext } from '#server/functions/context.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { MessagesTable, OutboxTable } from '#server/platform/db/tables/conversations.ts'
import { type Page, paginate } from '#server/platform/functions/paginate.ts'
import { CAP_REASONS } from '#shared/channels/caps.ts'
import type { Id } from '#shared/ids.ts'
import type { Around, Message, PartDelivery, PartState, PartWait } from '#shared/messaging/conversations.ts'
import { splitForward } from '#shared/messaging/forwards.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { calledName } from '../customers/contacts.store.ts'
import { listAttachments } from '../files/attachments.store.ts'
import { findWaits } from '../outbox/waiting.store.ts'

type Row = Selectable<MessagesTable> & {
  operator_name: string | null
  operator_image: string | null
  operator_job_title: string | null
  customer_name: string | null
}

/** Messages of conversations as of one, newest first or around one of them, with the state of what was sent. */
export async function listMessages(
  ctx: Pick<OrgQueryContext, 'db' | 'organizationId' | 'journal'>,
  conversationIds: Id<'conversations'>[],
  opts: PaginationOpts,
  around?: Around,
): Promise<Page<Message>> {
  const carriers: Id<'messages'>[] = []
  const page = await paginate(
    ctx,
    around ? await messagesAround(ctx, conversationIds, around) : messages(ctx, conversationIds),
    opts,
    { by: [['messages.sequence', 'integer']], direction: around?.side === 'after' ? 'asc' : 'desc' },
    (row) => {
      if (row.attachment_count > 0) carriers.push(row.id)
      return toMessage(row)
    },
  )
  const attachments = await listAttachments(ctx, conversationIds, carriers)
  const read = page.page.map((message) => ({ ...message, attachments: attachments.get(message._id) ?? [] }))
  return { ...page, page: await withDeliveries(ctx, conversationIds, read) }
}

/** The newest messages of conversations that are shown as one, oldest first. */
export async function listNewestMessages(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
  limit: number,
): Promise<Message[]> {
  const rows = await messages(ctx, conversationIds).orderBy('messages.sequence', 'desc').limit(limit).execute()
  const carriers = rows.filter((row) => row.attachment_count > 0).map((row) => row.id)
  const attachments = await listAttachments(ctx, conversationIds, carriers)
  return rows.reverse().map((row) => ({ ...toMessage(row), attachments: attachments.get(row.id) ?? [] }))
}

/**
 * Messages of conversations that are shown as one that come after one of them, the earliest first, with the state of what was sent.
 *
 * @param after its sequence; 0: from the beginning
 * @returns `through`: where to continue; null when there are no more
 */
export async function listMessagesAfter(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
  after: number,
  limit: number,
): Promise<{ messages: Message[]; through: number | null }> {
  const rows = await messages(ctx, conversationIds)
    .where('messages.sequence', '>', after)
    .orderBy('messages.sequence', 'asc')
    .limit(limit)
    .execute()
  const carriers = rows.filter((row) => row.attachment_count > 0).map((row) => row.id)
  const attachments = await listAttachments(ctx, conversationIds, carriers)
  const read = rows.map((row) => ({ ...toMessage(row), attachments: attachments.get(row.id) ?? [] }))
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { messages: await withDeliveries(ctx, conversationIds, read), through: last?.sequence ?? null }
}

function messages(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]) {
  return ctx.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .leftJoin('customers as people', 'people.id', 'customers.person_id')
    .leftJoin('users', 'users.id', 'messages.user_id')
    .where('messages.organization_id', '=', ctx.organizationId)
    .where('messages.conversation_id', 'in', conversationIds)
    .where('conversations.id', 'in', conversationIds)
    .selectAll('messages')
    .select(['users.name as operator_name', calledName.as('customer_name')])
    .select(['users.image as operator_image', 'users.job_title as operator_job_title'])
}

async function messagesAround(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
  { messageId, side }: Around,
) {
  const named = await messages(ctx, conversationIds).where('messages.id', '=', messageId).executeTakeFirst()
  const sequence = named?.sequence ?? Number.MAX_SAFE_INTEGER
  return messages(ctx, conversationIds).where('messages.sequence', side === 'upTo' ? '<=' : '>', sequence)
}

async function withDeliveries(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
  page: Message[],
): Promise<Message[]> {
  if (page.length === 0) return page
  const rows = await ctx.db
    .selectFrom('outbox')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where(
      'message_id',
      'in',
      page.map((message) => message._id),
    )
    .select(['id', 'message_id', 'status', 'error', 'not_before', 'delivered_at', 'read_at', 'connection_id'])
    .orderBy('part')
    .execute()
  const waits = await findWaits(ctx, rows)
  return page.map((message) => ({
    ...message,
    deliveries: rows.filter((row) => row.message_id === message._id).map((row) => toDelivery(row, waits.get(row.id))),
  }))
}

function toDelivery(
  row: Pick<Selectable<OutboxTable>, 'id' | 'status' | 'error' | 'not_before' | 'delivered_at' | 'read_at'>,
  waitsFor: PartWait | undefined,
): PartDelivery {
  const state = { status: stateOf(row), error: row.error, waitsUntil: waitsUntil(row) }
  return { _id: row.id, ...state, ...(waitsFor && { waitsFor }) }
}

/** Only for what waits for a cap: everything else is due within moments, or at an unknown time. */
function waitsUntil(part: Pick<Selectable<OutboxTable>, 'status' | 'error' | 'not_before'>): number | null {
  const isCapped = part.status === 'queued' && CAP_REASONS.some((reason) => reason === part.error)
  const at = isCapped ? part.not_before.getTime() : Number.NaN
  return Number.isFinite(at) ? at : null
}

function stateOf(part: Pick<Selectable<OutboxTable>, 'status' | 'delivered_at' | 'read_at'>): PartState {
  if (part.status !== 'sent') return part.status
  return part.read_at ? 'read' : part.delivered_at ? 'delivered' : 'sent'
}

function toMessage(row: Row): Message {
  return {
    _id: row.id,
    conversationId: row.conversation_id,
    author: row.author,
    authorName: row.author === 'customer' ? (row.speaker ?? row.customer_name) : row.operator_name,
    operator: operatorOf(row),
    text: row.text,
    quoted: row.quoted,
    forwarded: row.forwarded && {
      from: row.forwarded.from,
      text: splitForward(row.text, row.forwarded).forwarded,
    },
    editedAt: row.edited_at?.getTime() ?? null,
    status: row.status,
    reason: row.reason,
    turnId: row.turn_id,
    agentVersion: row.agent_version,
    createdAt: row.created_at.getTime(),
    sources: row.sources,
    generation:
      row.model === null || row.latency_ms === null
        ? null
        : {
            model: row.model,
            inputTokens: row.input_tokens,
            outputTokens: row.output_tokens,
            costMicroUsd: row.cost_micro_usd,
            latencyMs: row.latency_ms,
            firstTokenMs: row.first_token_ms,
          },
    attachments: [],
    parts: row.parts ?? [],
    choices: row.choices ?? [],
    unfounded: row.unfounded ?? [],
    deliveries: [],
  }
}

/** The operator of a message of the team. */
function operatorOf(row: Row): Message['operator'] {
  const { author, user_id: id, operator_name: name, operator_job_title: jobTitle } = row
  if (author !== 'operator' || id === null || name === null) return null
  return { _id: id, name, avatar: row.operator_image || null, jobTitle: jobTitle ?? '' }
}
