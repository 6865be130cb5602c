// Handles presses of rating buttons. The customer receives the result of each press; a press under no open question of theirs changes
// nothing.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { keepNotification } from '../../inbound-events/notifications.store.ts'
import { holdPressed, readRater, storeRating } from '../../ratings/ratings.store.ts'
import { thank } from '../../ratings/ratings.ts'
import { pressAnswer } from '../../ratings/ratings-text.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { type Handler, KEPT, type Notification } from '../handler.ts'

/** `taken`: stored as the customer's rating. `closed`: changed nothing. `known`: a duplicate. */
type Pressed = { end: 'taken' | 'closed' | 'known'; words: string[] }

/** Stores a press, once, in one transaction. */
export const receiveRating: Handler<'rating'> = async (ctx, connection, { inbound, payload }) => {
  const { end, words } = await ctx.organization(connection.organizationId, (store) =>
    storePress(ctx, store, connection, { inbound, payload }),
  )
  if (end !== 'known') answer(ctx, connection, inbound, { score: end === 'taken' ? inbound.score : null, words })
  if (end !== 'taken') return KEPT
  ctx.connectionActivity.inbound(connection.id)
  return { status: 'stored', isDue: false }
}

async function storePress(
  ctx: PipelineContext,
  store: OrgStoreContext,
  { id: connectionId }: StoredConnection,
  { inbound, payload }: Notification<'rating'>,
): Promise<Pressed> {
  const { externalKey, chatId, ratingId, score, sender, speaker = null } = inbound
  const press = { ratingId, externalMessageId: inbound.pressed.externalMessageId, customer: sender.externalId }
  const id = await holdPressed(store, { connectionId, chatId }, press)
  if (!id) {
    const isNew = await keepNotification(store, connectionId, { externalKey, status: 'ignored', payload })
    return { end: isNew ? 'closed' : 'known', words: [] }
  }
  const words = (await readRater(store, id))?.words ?? []
  const given = { externalKey, payload, score, text: String(score), externalId: null, quoted: null, speaker }
  const { isNew, isFirst } = await storeRating(store, connectionId, id, given)
  if (isNew && isFirst) await thank(ctx, store, id, score)
  return { end: isNew ? 'taken' : 'known', words }
}

/** Not awaited: the press is stored already. */
function answer(
  ctx: PipelineContext,
  connection: StoredConnection,
  { pressed, sender }: Notification<'rating'>['inbound'],
  { score, words }: { score: number | null; words: string[] },
): void {
  const notice = pressAnswer(answerLanguageFor('', { earlier: words, tag: sender.language }), score)
  const credentials = credentialsOf(ctx.services.secrets, connection)
  void ctx.services.channels[connection.channel].buttons?.answerPress?.(credentials, pressed.answerId, notice)
}
