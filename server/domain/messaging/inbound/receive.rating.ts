// Takes in a press of a button under a question for a rating. Whatever it changes, whoever has pressed is told what came of it; a press
// that is under no open question of theirs changes nothing.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import { holdPressed, readRater, storeRating } from '../ratings/ratings.store.ts'
import { thank } from '../ratings/ratings.ts'
import { pressAnswer } from '../ratings/ratings-text.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { keepNotification } from './receive.store.ts'

/** A press as it came in. */
export type InboundRating = Extract<Inbound, { kind: 'rating' }>

/** What came of it: it is the customer's rating now, changes nothing, or came before. */
type Pressed = { end: 'taken' | 'closed' | 'known'; words: string[] }

/** Stores a press, once, in one transaction. @returns whether it is a rating that was not known */
export async function receiveRating(
  ctx: PipelineContext,
  connection: StoredConnection,
  inbound: InboundRating,
  payload: unknown,
): Promise<boolean> {
  const { end, words } = await ctx.organization(connection.organizationId, async (store): Promise<Pressed> => {
    const { externalKey, chatId, ratingId, score, sender, speaker = null } = inbound
    const press = { ratingId, externalMessageId: inbound.pressed.externalMessageId, customer: sender.externalId }
    const id = await holdPressed(store, { connectionId: connection.id, chatId }, press)
    if (!id) {
      const isNew = await keepNotification(store, connection.id, { externalKey, status: 'ignored', payload })
      return { end: isNew ? 'closed' : 'known', words: [] }
    }
    const words = (await readRater(store, id))?.words ?? []
    const given = { externalKey, payload, score, text: String(score), externalId: null, quoted: null, speaker }
    const { isNew, isFirst } = await storeRating(store, connection.id, id, given)
    if (isNew && isFirst) await thank(ctx, store, id, score)
    return { end: isNew ? 'taken' : 'known', words }
  })
  if (end !== 'known') answer(ctx, connection, inbound, { score: end === 'taken' ? inbound.score : null, words })
  return end === 'taken'
}

/** Nobody waits for it: what was pressed is stored. */
function answer(
  ctx: PipelineContext,
  connection: StoredConnection,
  { pressed, sender }: InboundRating,
  { score, words }: { score: number | null; words: string[] },
): void {
  const told = pressAnswer(answerLanguageFor('', { earlier: words, tag: sender.language }), score)
  const credentials = credentialsOf(ctx.services.secrets, connection)
  void ctx.services.channels[connection.channel].buttons?.answerPress?.(credentials, pressed.answerId, told)
}
