// Taking back steps between states that were taken for many conversations at once. Who has taken one is handed a ticket of each
// conversation: no row knows how it stood before, the ticket does, which only we can write and only they can use.
import { z } from 'zod'
import type { OrgMutationContext } from '#server/functions/context.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import { listWithOpenQuestions } from './conversations.store.ts'
import { withholdAgentParts } from './outbox.store.ts'
import { listAskedSince } from './ratings.store.ts'
import { requestTurns } from './turns.store.ts'
import { readStanding, restore, type Standing, type Step } from './undo.store.ts'
import { takeBackWithheld } from './withheld.store.ts'

type ConversationId = Id<'conversations'>
type Sealing = Pick<OrgMutationContext, 'secrets' | 'organizationId' | 'caller'>

const columns = z.record(z.string(), z.unknown())
const ticketed = z.strictObject({
  id: id('conversations'),
  before: z.strictObject({ state: columns, hints: columns }),
  after: columns,
})

/** Tickets of conversations whose step has just been taken, by how they stood before it. The rows are held by the caller. */
export async function ticketsFor(
  ctx: OrgMutationContext,
  before: Map<ConversationId, Standing>,
): Promise<Map<ConversationId, string>> {
  const after = await readStanding(ctx, [...before.keys()])
  return new Map(
    [...before].flatMap(([conversationId, standing]): [ConversationId, string][] => {
      const now = after.get(conversationId)
      if (!now) return []
      const step: Step = { id: conversationId, before: standing, after: now.state }
      return [[conversationId, ctx.secrets.encrypt(JSON.stringify(step), placeOf(ctx))]]
    }),
  )
}

/** @throws AppError not_found for a ticket that is somebody else's, or none of ours */
export function readTickets(ctx: Sealing, tickets: string[]): Step[] {
  const steps = tickets.map((ticket) => {
    try {
      return ticketed.parse(JSON.parse(ctx.secrets.decrypt(ticket, placeOf(ctx))))
    } catch {
      throw new AppError('not_found')
    }
  })
  return [...new Map(steps.map((step) => [step.id, step])).values()]
}

/**
 * Lets conversations stand as they did before these steps. Who waits is answered where the agent speaks again; what it has begun to say
 * where it is silent again is withheld. The rows are held by the caller.
 *
 * @returns those that stand so now; somebody has changed the others since
 */
export async function takeBack(ctx: OrgMutationContext, steps: Step[]): Promise<Set<ConversationId>> {
  if (steps.length === 0) return new Set()
  const restored = await restore(ctx, steps)
  const done = steps.filter(({ id: conversationId }) => restored.has(conversationId))
  const speaking = idsOf(done.filter(({ before }) => before.state.status === 'active'))
  await withholdAgentParts(ctx, idsOf(done.filter(({ before }) => before.state.status !== 'active')))
  await takeBackWithheld(ctx, speaking)
  await requestTurns(ctx, await listWithOpenQuestions(ctx, speaking))
  return restored
}

/** Of these steps, the ends after which the customer was asked for a rating: what has left is not taken back. */
export async function listAsked(ctx: OrgMutationContext, steps: Step[]): Promise<Set<ConversationId>> {
  const ends = steps.filter(({ after }) => after.status === 'ended')
  return listAskedSince(
    ctx,
    ends.map(({ id: conversationId, after }) => ({ id: conversationId, through: Number(after.phrases_through) })),
  )
}

function idsOf(steps: Step[]): ConversationId[] {
  return steps.map(({ id: conversationId }) => conversationId)
}

function placeOf({ organizationId, caller }: Sealing): string {
  return `undo|${organizationId}|${caller.userId}`
}
