// Changes of one or many conversations at once. Each answers for every conversation what became of it and what it was before, so that a
// screen can tell what failed and take back what did not.
import { getMemberName } from '#server/features/organizations/organizations.store.ts'
import type { OrgMutationContext } from '#server/functions/context.ts'
import { orgMutation } from '#server/functions/define.ts'
import {
  type Bulk,
  bulkAssignInput,
  bulkPlaceInput,
  bulkStatusInput,
  bulkTagInput,
  bulkUndoInput,
  type ConversationPlace,
  type ConversationStatus,
  type StatusBefore,
  type StatusTakenBack,
} from '#shared/conversations.ts'
import { appErrorData, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { CONVERSATION_TAGS_MAX } from '#shared/limits.ts'
import type { ConversationId, Held } from './bulk.store.ts'
import * as store from './bulk.store.ts'
import { assertCanPause, assertNotDeleted } from './conversations.rules.ts'
import { withholdAgentParts } from './outbox.store.ts'
import { bringBack } from './removal.ts'
import { endByHand, pauseByHand, resumeByHand } from './status.ts'
import { withThreads } from './threads.store.ts'
import { readStanding } from './undo.store.ts'
import { listAsked, readTickets, takeBack, ticketsFor } from './undo.ts'
import { takeBackWithheld } from './withheld.store.ts'

/**
 * Archives, deletes or puts back. In a deleted conversation no agent answers and what it was about to send is withheld; one that is put
 * back is answered where the customer still waits.
 */
export const place = orgMutation({
  args: bulkPlaceInput,
  handler: async (ctx, { place: target, ...named }): Promise<Bulk<ConversationPlace>> => {
    const { ids: all, held } = await holdWithThreads(ctx, named)
    const moved = held.filter((each) => each.place !== target)
    const ids = moved.map(({ id }) => id)
    if (ids.length > 0) {
      await store.setPlace(ctx, ids, target, ctx.now)
      if (target === 'deleted') await withhold(ctx, moved)
      await bringBack(
        ctx,
        moved.filter((each) => each.place === 'deleted'),
      )
    }
    return resultOf(all, held, (each) => each.place)
  },
})

/** A customer who writes again brings the conversation back: what nobody has heard is open again from now on. A pause keeps it until it is over. */
async function withhold(ctx: OrgMutationContext, held: Held[]): Promise<void> {
  const sending = await store.listSending(
    ctx,
    held.map(({ id }) => id),
  )
  const active = new Set(held.filter(({ status }) => status === 'active').map(({ id }) => id))
  await withholdAgentParts(ctx, sending)
  await takeBackWithheld(
    ctx,
    sending.filter((id) => active.has(id)),
  )
}

/** Pauses, ends or makes active, each as its own button does. */
export const status = orgMutation({
  args: bulkStatusInput,
  handler: async (ctx, { status: target, resumeAfterMs, ...named }): Promise<Bulk<StatusBefore>> => {
    const { ids: all, held } = await holdWithThreads(ctx, named)
    const refused = new Map(held.flatMap((each) => entryOf(each.id, refusalOf(each, target))))
    const moved = held.filter((each) => !refused.has(each.id) && (each.status !== target || target === 'paused'))
    const standing = await readStanding(
      ctx,
      moved.map(({ id }) => id),
    )
    if (target === 'paused') await pauseByHand(ctx, moved, { by: ctx.caller.userId, resumeAfterMs })
    else if (target === 'ended') await endByHand(ctx, moved)
    else await resumeByHand(ctx, moved)
    // What is only shown with them is left as it is when the step is none for it.
    const failures = new Map([...refused].filter(([id]) => named.conversationIds.includes(id)))
    const tickets = await ticketsFor(ctx, standing)
    const before = (each: Held) => ({ status: each.status, ticket: tickets.get(each.id) ?? null })
    return resultOf(all, held, before, failures)
  },
})

/** Takes back what `status` has done, of each conversation whose state nobody has changed since, and tells what has left. @throws AppError not_found for a ticket that is not the caller's */
export const undoStatus = orgMutation({
  args: bulkUndoInput,
  handler: async (ctx, { tickets }): Promise<Bulk<StatusTakenBack>> => {
    const steps = readTickets(ctx, tickets)
    const ids = steps.map(({ id }) => id)
    const held = await store.holdConversations(ctx, ids)
    const deleted = new Set(held.flatMap((each) => (each.place === 'deleted' ? [each.id] : [])))
    const known = new Set(held.map(({ id }) => id))
    const restored = await takeBack(
      ctx,
      steps.filter(({ id }) => known.has(id) && !deleted.has(id)),
    )
    const failures = ids.flatMap((id) =>
      entryOf(id, deleted.has(id) ? 'conversation_deleted' : restored.has(id) ? null : 'conversation_changed'),
    )
    const asked = await listAsked(
      ctx,
      steps.filter(({ id }) => restored.has(id)),
    )
    return resultOf(ids, held, ({ id }) => ({ wasAsked: asked.has(id) }), new Map(failures))
  },
})

/** Gives conversations to a member, or to nobody. Whoever opens one sees who has done so. @throws not_found for a person who is no member */
export const assign = orgMutation({
  args: bulkAssignInput,
  handler: async (ctx, { assigneeId, ...named }): Promise<Bulk<Id<'users'> | null>> => {
    const assignee = assigneeId === null ? null : { id: assigneeId, name: await getMemberName(ctx, assigneeId) }
    const { ids: all, held } = await holdWithThreads(ctx, named)
    const ids = held
      .filter((each) => each.assigneeId !== assigneeId || (each.isQueued && assigneeId !== null))
      .map(({ id }) => id)
    if (ids.length > 0) await store.setAssignee(ctx, ids, assignee, ctx.caller.userId)
    return resultOf(all, held, (each) => each.assigneeId)
  },
})

/** Puts a tag on conversations or takes it off. What it was before: whether it had the tag. */
export const tag = orgMutation({
  args: bulkTagInput,
  handler: async (ctx, { tag: name, isOn, ...named }): Promise<Bulk<boolean>> => {
    const { ids: all, held } = await holdWithThreads(ctx, named)
    const counts =
      held.length > 0
        ? await store.countTags(
            ctx,
            held.map(({ id }) => id),
            name,
          )
        : new Map()
    const isTagged = ({ id }: Held): boolean => counts.get(id)?.isTagged ?? false
    const changed = held.filter((each) => isTagged(each) !== isOn)
    const full = isOn ? changed.filter(({ id }) => (counts.get(id)?.count ?? 0) >= CONVERSATION_TAGS_MAX) : []
    const ids = changed.filter((each) => !full.includes(each)).map(({ id }) => id)
    if (ids.length > 0) await (isOn ? store.addTag : store.removeTag)(ctx, ids, name)
    return resultOf(all, held, isTagged, new Map(full.map(({ id }) => [id, 'too_many_tags'])))
  },
})

type Named = { conversationIds: ConversationId[]; isExact?: boolean | undefined }

/** With those that are shown as one with them: what is done to one of them is done to all. Those that were named come first. */
async function holdWithThreads(
  ctx: OrgMutationContext,
  { conversationIds, isExact }: Named,
): Promise<{ ids: ConversationId[]; held: Held[] }> {
  const ids = isExact
    ? conversationIds
    : [...new Set([...conversationIds, ...(await withThreads(ctx, conversationIds))])]
  return { ids, held: await store.holdConversations(ctx, ids) }
}

/** Why a conversation cannot take a step; null: it can. */
function refusalOf({ place, status }: Held, target: ConversationStatus): ErrorCode | null {
  try {
    assertNotDeleted(place)
    if (target === 'paused') assertCanPause(status)
    return null
  } catch (error) {
    const code = appErrorData(error)?.code
    if (!code) throw error
    return code
  }
}

function entryOf(id: ConversationId, code: ErrorCode | null): [ConversationId, ErrorCode][] {
  return code ? [[id, code]] : []
}

function resultOf<Before>(
  ids: ConversationId[],
  held: Held[],
  before: (conversation: Held) => Before,
  failures = new Map<ConversationId, ErrorCode>(),
): Bulk<Before> {
  const known = new Map(held.map((each) => [each.id, each]))
  return ids.map((conversationId) => {
    const conversation = known.get(conversationId)
    if (!conversation) return { conversationId, error: 'not_found', before: null }
    return { conversationId, error: failures.get(conversationId) ?? null, before: before(conversation) }
  })
}
