// Undoing bulk steps: changes of status, folder, assignee and tags. The member who takes a step gets a ticket for each conversation: the
// previous state is in no row but in the ticket, which only the server can issue and only that member can use.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { OrgMutationContext } from '#server/functions/context.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { ConversationFolder } from '#shared/messaging/conversations.ts'
import { id } from '#shared/schema.ts'
import { addTag, type ConversationId, type Held, noteAssignees, removeTag } from '../conversations/bulk.store.ts'
import { listAskedSince } from '../conversations/ratings.store.ts'
import * as store from '../conversations/undo.store.ts'
import { wakeRouting } from '../handoff/routing.store.ts'
import { speakAgain } from '../handoff/withheld.store.ts'
import { withholdAgentParts } from '../outbox/outbox.store.ts'
import { requestTurns } from '../turns/turn-requests.store.ts'
import { settleMoves, sortByTag } from './archive-and-tags.ts'
import { listWithOpenQuestions } from './conversations.store.ts'

/** A step that was taken: the state of a conversation before and after it. */
export type Step = { id: ConversationId; aspect: store.Aspect; before: store.Standing; after: store.Standing }
/** A step that is undone. */
type Back = Step & { conversation: Held; now: store.Standing }
type Sealing = Pick<OrgMutationContext, 'secrets' | 'organizationId' | 'caller'>

const at = z.string().optional()
const stood = z.strictObject({
  state: z.record(z.string(), z.unknown()),
  hints: z.strictObject({
    is_calling: z.boolean(),
    written_through: z.number(),
    assignee_id: z.string().optional(),
    follow_up_at: at,
    waiting_since: at,
    queued_at: at,
    unattended_at: at,
    unattended_told_at: at,
    rating_ask_at: at,
  }),
})
const ticketed = z.strictObject({
  id: id('conversations'),
  aspect: z.union([
    z.strictObject({ kind: z.enum(['status', 'folder', 'assignee']) }),
    z.strictObject({ kind: z.literal('tag'), tag: z.string() }),
  ]),
  before: stood,
  after: stood,
})

/** Takes a step for conversations, if there are any, and returns a ticket for each of them. The caller holds their rows. */
export async function withTickets(
  ctx: OrgMutationContext,
  aspect: store.Aspect,
  ids: ConversationId[],
  take: () => Promise<void>,
): Promise<Map<ConversationId, string>> {
  if (ids.length === 0) return new Map()
  const before = await store.readStanding(ctx, aspect, ids)
  await take()
  const after = await store.readStanding(ctx, aspect, ids)
  return new Map(
    [...before].flatMap(([conversationId, was]): [ConversationId, string][] => {
      const stands = after.get(conversationId)
      if (!stands) return []
      const step: Step = { id: conversationId, aspect, before: was, after: stands }
      return [[conversationId, ctx.secrets.encrypt(JSON.stringify(step), placeOf(ctx))]]
    }),
  )
}

/** Merges tickets that followed one another in a conversation into one step. @throws AppError not_found for a ticket that is another user's, or not issued by us */
export function readTickets(ctx: Sealing, tickets: string[]): Step[] {
  const steps = new Map<string, Step>()
  for (const ticket of tickets) {
    const step = readTicket(ctx, ticket)
    const key = JSON.stringify([step.id, step.aspect])
    const first = steps.get(key)
    const follows = first && isDeepStrictEqual(first.after.state, step.before.state)
    steps.set(key, follows ? { ...step, before: first.before } : step)
  }
  return [...steps.values()]
}

function readTicket(ctx: Sealing, ticket: string): Step {
  try {
    return ticketed.parse(JSON.parse(ctx.secrets.decrypt(ticket, placeOf(ctx))))
  } catch {
    throw new AppError('not_found')
  }
}

/**
 * Restores conversations to how they were before these steps, with their waits and timers, unless what the step changed has been changed
 * since. The caller holds the rows.
 *
 * @returns for each conversation found, why it was left as it is; null: it was restored
 */
export async function takeBack(
  ctx: OrgMutationContext,
  steps: Step[],
  held: Held[],
): Promise<Map<ConversationId, ErrorCode | null>> {
  const outcome = new Map<ConversationId, ErrorCode | null>()
  const known = new Map(held.map((each) => [each.id, each]))
  for (const alike of Map.groupBy(steps, ({ aspect }) => JSON.stringify(aspect)).values()) {
    for (const each of await takeBackAlike(ctx, alike, known)) outcome.set(...each)
  }
  return outcome
}

/** For steps that have changed the same aspect. */
async function takeBackAlike(
  ctx: OrgMutationContext,
  steps: Step[],
  held: Map<ConversationId, Held>,
): Promise<Map<ConversationId, ErrorCode | null>> {
  const [{ aspect } = {}] = steps
  if (!aspect) return new Map()
  const standing = await store.readStanding(ctx, aspect, idsOf(steps))
  const backs = steps.flatMap((step): Back[] => {
    const [conversation, now] = [held.get(step.id), standing.get(step.id)]
    return conversation && now ? [{ ...step, conversation, now }] : []
  })
  const refused = new Map(backs.map((back) => [back.id, refusalOf(back)]))
  const open = backs.filter(({ id: conversationId }) => refused.get(conversationId) === null)
  return new Map([...refused, ...(await restore(ctx, aspect, open))])
}

/** Why a conversation is left as it is; null: it may be restored. */
function refusalOf({ aspect, before, after, now, conversation }: Back): ErrorCode | null {
  if (aspect.kind === 'status' && conversation.folder === 'deleted') return 'conversation_deleted'
  const isAway = before.state.status === 'ended' || (aspect.kind === 'folder' && before.state.folder !== 'inbox')
  const hasWritten = now.hints.written_through !== after.hints.written_through
  // To end or archive it again would leave a customer who has written since without an answer.
  return isDeepStrictEqual(now.state, after.state) && !(isAway && hasWritten) ? null : 'conversation_changed'
}

/** @returns those that cannot be restored, with the reasons */
async function restore(
  ctx: OrgMutationContext,
  aspect: store.Aspect,
  backs: Back[],
): Promise<Map<ConversationId, ErrorCode>> {
  if (backs.length === 0) return new Map()
  if (aspect.kind === 'tag') return restoreTag(ctx, aspect.tag, backs)
  const states = backs.map(({ id: conversationId, before: { state } }) => ({ id: conversationId, state }))
  const gone = new Map<ConversationId, ErrorCode>()
  if (aspect.kind === 'status') await store.restoreStatus(ctx, states)
  else if (aspect.kind === 'folder') await store.restoreFolder(ctx, states)
  else {
    const given = new Set(await store.restoreAssignee(ctx, states))
    for (const { id: conversationId } of backs)
      if (!given.has(conversationId)) gone.set(conversationId, 'conversation_changed')
  }
  const done = backs.filter((back) => !gone.has(back.id))
  await store.restoreHints(
    ctx,
    done.map((back) => ({ id: back.id, hints: hintsFor(back) })),
  )
  await settle(ctx, aspect, done)
  return gone
}

/** Hints that have changed since keep their present value; the others return to the one before the step. */
function hintsFor({ aspect, before, after, now }: Back): store.Hints {
  const kept = <Name extends keyof store.Hints>(name: Name): store.Hints[Name] =>
    now.hints[name] === after.hints[name] ? before.hints[name] : now.hints[name]
  const isSilent = now.hints.written_through === after.hints.written_through
  const wasCalling = before.hints.is_calling
  return {
    ...before.hints,
    queued_at: wasCalling ? kept('queued_at') : now.hints.queued_at,
    unattended_at: wasCalling ? kept('unattended_at') : now.hints.unattended_at,
    unattended_told_at: now.hints.unattended_told_at,
    follow_up_at: isSilent ? kept('follow_up_at') : now.hints.follow_up_at,
    waiting_since: aspect.kind === 'status' ? before.hints.waiting_since : undefined,
    // An end that is restored asks for no rating.
    rating_ask_at: aspect.kind === 'folder' ? kept('rating_ask_at') : undefined,
  }
}

/** The consequences of restored conversations, for agents, for customers who wait and for the team. */
async function settle(ctx: OrgMutationContext, { kind }: store.Aspect, done: Back[]): Promise<void> {
  if (kind === 'status') {
    const speaking = idsOf(done.filter(({ before }) => before.state.status === 'active'))
    await withholdAgentParts(ctx, idsOf(done.filter(({ before }) => before.state.status !== 'active')))
    await speakAgain(ctx, speaking)
    await requestTurns(ctx, await listWithOpenQuestions(ctx, speaking))
  } else if (kind === 'folder') {
    const folder = ({ state }: store.Standing) => state.folder as ConversationFolder
    await settleMoves(
      ctx,
      done.map(({ conversation, before, after }) => ({ conversation, from: folder(after), to: folder(before) })),
    )
  } else {
    const others = done.filter(({ before, after }) => before.state.assignee_id !== after.state.assignee_id)
    await noteAssignees(ctx, idsOf(others), ctx.caller.userId)
    await wakeRouting(ctx) // an operator may be free for what waits again
  }
}

async function restoreTag(
  ctx: OrgMutationContext,
  tag: string,
  backs: Back[],
): Promise<Map<ConversationId, ErrorCode>> {
  const { full } = await sortByTag(ctx, idsOf(backs), tag)
  const on = idsOf(backs.filter(({ id: conversationId, before }) => before.state.is_on && !full.has(conversationId)))
  const off = idsOf(backs.filter(({ before }) => !before.state.is_on))
  if (on.length > 0) await addTag(ctx, on, tag)
  if (off.length > 0) await removeTag(ctx, off, tag)
  return new Map([...full].map((conversationId) => [conversationId, 'too_many_tags']))
}

/** Of these steps, the ends after which the customer was asked for a rating: a question that was sent is not undone. */
export async function listAsked(ctx: OrgMutationContext, steps: Step[]): Promise<Set<ConversationId>> {
  const ends = steps.filter(({ after }) => after.state.status === 'ended')
  return listAskedSince(
    ctx,
    ends.map(({ id: conversationId, after }) => ({
      id: conversationId,
      through: Number(after.state.phrases_through),
    })),
  )
}

function idsOf(steps: Step[]): ConversationId[] {
  return steps.map(({ id: conversationId }) => conversationId)
}

function placeOf({ organizationId, caller }: Sealing): string {
  return `undo|${organizationId}|${caller.userId}`
}
