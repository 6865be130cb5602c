// Changes of one or many conversations at once. Each returns for every conversation the outcome and its previous state, so that a screen
// can report what failed and undo what did not.
import { getMember } from '#server/domain/organizations/members.store.ts'
import type { OrgMutationContext } from '#server/functions/context.ts'
import { orgMutation } from '#server/functions/define.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import {
  type AssigneeBefore,
  type Bulk,
  bulkAssignInput,
  bulkFolderInput,
  bulkStatusInput,
  bulkTagInput,
  bulkUndoInput,
  type ConversationStatus,
  type FolderBefore,
  type StatusBefore,
  type TagBefore,
  type TakenBack,
} from '#shared/messaging/conversations.ts'
import { mayAnswer } from '#shared/organizations/policy.ts'
import type { ConversationId, Held } from '../conversations/bulk.store.ts'
import * as store from '../conversations/bulk.store.ts'
import { assertCanPause, assertNotDeleted } from '../conversations/conversations.rules.ts'
import { withThreads } from '../conversations/threads.store.ts'
import { settleMoves, sortByTag } from './archive-and-tags.ts'
import { endByHand, pauseByHand, resumeByHand } from './status.ts'
import { listAsked, readTickets, takeBack, withTickets } from './undo.ts'

/**
 * Archives, deletes or restores. In a deleted conversation no agent answers, and its unsent messages are withheld; one that is restored is
 * answered where the customer still waits.
 */
export const place = orgMutation({
  args: bulkFolderInput,
  handler: async (ctx, { folder: target, conversationIds }): Promise<Bulk<FolderBefore>> => {
    const { ids, held } = await holdWithThreads(ctx, conversationIds)
    const moved = held.filter((each) => each.folder !== target)
    const tickets = await withTickets(ctx, { kind: 'folder' }, idsOf(moved), async () => {
      await store.setFolder(ctx, idsOf(moved), target, ctx.now)
      await settleMoves(
        ctx,
        moved.map((conversation) => ({ conversation, from: conversation.folder, to: target })),
      )
    })
    return resultOf(ids, held, (each) => ({ folder: each.folder, ticket: tickets.get(each.id) ?? null }))
  },
})

/** Pauses, ends or makes active, each as its own button does. */
export const status = orgMutation({
  args: bulkStatusInput,
  handler: async (ctx, { status: target, resumeAfterMs, conversationIds }): Promise<Bulk<StatusBefore>> => {
    const { ids, held } = await holdWithThreads(ctx, conversationIds)
    const refused = new Map(held.flatMap((each) => entryOf(each.id, refusalOf(each, target))))
    const moved = held.filter((each) => !refused.has(each.id) && (each.status !== target || target === 'paused'))
    const tickets = await withTickets(ctx, { kind: 'status' }, idsOf(moved), async () => {
      if (target === 'paused') await pauseByHand(ctx, moved, { by: ctx.caller.userId, resumeAfterMs })
      else if (target === 'ended') await endByHand(ctx, moved)
      else await resumeByHand(ctx, moved)
    })
    // Conversations that are only shown with the chosen ones are left as they are when the step does not apply to them.
    const failures = new Map([...refused].filter(([id]) => conversationIds.includes(id)))
    const before = (each: Held) => ({ status: each.status, ticket: tickets.get(each.id) ?? null })
    return resultOf(ids, held, before, failures)
  },
})

/** Assigns conversations to a member, or unassigns them; each conversation records who did. @throws not_found for a person who is no member; cannot_answer */
export const assign = orgMutation({
  args: bulkAssignInput,
  handler: async (ctx, { assigneeId, conversationIds }): Promise<Bulk<AssigneeBefore>> => {
    if (assigneeId !== null && !mayAnswer((await getMember(ctx, assigneeId)).role)) throw new AppError('cannot_answer')
    const { ids, held } = await holdWithThreads(ctx, conversationIds)
    const given = idsOf(held.filter((each) => each.assigneeId !== assigneeId || (each.isQueued && assigneeId !== null)))
    const tickets = await withTickets(ctx, { kind: 'assignee' }, given, () =>
      store.setAssignee(ctx, given, assigneeId, ctx.caller.userId),
    )
    return resultOf(ids, held, (each) => ({ assigneeId: each.assigneeId, ticket: tickets.get(each.id) ?? null }))
  },
})

/** Puts a tag on conversations or takes it off. */
export const tag = orgMutation({
  args: bulkTagInput,
  handler: async (ctx, { tag: name, isOn, conversationIds }): Promise<Bulk<TagBefore>> => {
    const { ids, held } = await holdWithThreads(ctx, conversationIds)
    const { tagged, full } = await sortByTag(ctx, idsOf(held), name)
    const failures = new Map(isOn ? [...full].flatMap((id) => entryOf(id, 'too_many_tags')) : [])
    const changed = idsOf(held).filter((id) => tagged.has(id) !== isOn && !failures.has(id))
    const tickets = await withTickets(ctx, { kind: 'tag', tag: name }, changed, () =>
      (isOn ? store.addTag : store.removeTag)(ctx, changed, name),
    )
    const before = ({ id }: Held) => ({ isOn: tagged.has(id), ticket: tickets.get(id) ?? null })
    return resultOf(ids, held, before, failures)
  },
})

/**
 * Undoes one of these steps in each conversation that has not been changed since, and reports where a rating was asked for meanwhile.
 * @throws AppError not_found for a ticket that is not the caller's
 */
export const undo = orgMutation({
  args: bulkUndoInput,
  handler: async (ctx, { tickets }): Promise<Bulk<TakenBack>> => {
    const steps = readTickets(ctx, tickets)
    const ids = [...new Set(steps.map(({ id }) => id))]
    const held = await store.holdConversations(ctx, ids)
    const outcome = await takeBack(ctx, steps, held)
    const asked = await listAsked(
      ctx,
      steps.filter(({ id }) => outcome.get(id) === null),
    )
    const failures = new Map([...outcome].flatMap(([id, code]) => entryOf(id, code)))
    return resultOf(ids, held, ({ id }) => ({ wasAsked: asked.has(id) }), failures)
  },
})

/** Adds the conversations that are shown as one with these: what is done to one of them is done to all. The given ones come first. */
async function holdWithThreads(
  ctx: OrgMutationContext,
  conversationIds: ConversationId[],
): Promise<{ ids: ConversationId[]; held: Held[] }> {
  const ids = [...new Set([...conversationIds, ...(await withThreads(ctx, conversationIds))])]
  return { ids, held: await store.holdConversations(ctx, ids) }
}

function idsOf(held: Held[]): ConversationId[] {
  return held.map(({ id }) => id)
}

/** Why a conversation cannot take a step; null: it can. */
function refusalOf({ folder, status }: Held, target: ConversationStatus): ErrorCode | null {
  try {
    assertNotDeleted(folder)
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
