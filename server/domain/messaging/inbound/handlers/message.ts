// A message of a customer: resolve whom it is from → persist it → react to it, in one transaction.
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { InboundMessage } from '#server/integrations/channels/contract/inbound.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { keepNotification } from '../../inbound-events/notifications.store.ts'
import { recordRatingAnswer } from '../../ratings/ratings.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { ReplySlot } from '../../turns/slots.ts'
import { resolveConversationConnection } from '../conversation-connection.store.ts'
import type { Handler, Notification } from '../handler.ts'
import { type Beginning, react } from '../react.ts'
import { applyEarlyEdits } from '../receive.edits.ts'
import { isPassed } from '../receive.press.store.ts'
import { storeMessage } from '../receive.store.ts'
import { resolveQuoted, resolveSender } from '../resolve.ts'

/** Shown to a customer who presses a button of a question that they have answered already. */
const OUTDATED = {
  ru: 'На этот вопрос вы уже ответили.',
  kk: 'Сіз бұл сұраққа жауап беріп қойдыңыз.',
  en: 'You have already answered this question.',
}

/** `isOutdated`: it was a press of a button that counts no more, and this was not known before. */
type Written =
  | { isOutdated: boolean }
  | { isConnected: boolean; isNew: boolean; isDue: boolean; begins: Beginning | null }

/** Stores the message, and begins its reply where there is room for one. */
export const receiveMessage: Handler<'message'> = async (ctx, connection, notification) => {
  const { inbound } = notification
  const mayBegin = !inbound.pressed && !inbound.callsPerson && !inbound.isAnswered
  const slot = mayBegin ? ctx.reserveReply(connection.organizationId) : null
  const written = await write(ctx, connection, notification, slot).catch((error: unknown) => {
    if (error instanceof CommitUnknownError) slot?.giveBack()
    else slot?.release()
    throw error
  })
  failpoint('message-stored')
  const begins = 'begins' in written ? written.begins : null
  if (begins) slot?.begin(begins.claim, begins.read)
  else slot?.release()
  if (inbound.pressed) answerPress(ctx, connection, inbound, 'isOutdated' in written && written.isOutdated)
  if ('isOutdated' in written) return { status: 'kept', isDue: false }
  if (!written.isConnected) return { status: 'refused', isDue: false }
  if (!written.isNew) return { status: 'duplicate', isDue: false }
  ctx.connectionActivity.inbound(connection.id)
  if (written.isDue) ctx.wake.turns()
  return { status: 'stored', isDue: written.isDue || begins !== null }
}

function write(
  ctx: PipelineContext,
  connection: StoredConnection,
  { inbound: received, payload }: Notification<'message'>,
  slot: ReplySlot | null,
): Promise<Written> {
  let isBegun = false
  const run = async (store: OrgStoreContext): Promise<Written> => {
    const inbound = await resolveSender(ctx, store, connection, received)
    if (inbound.pressed && (await isPassed(store, connection.id, { ...inbound, ...inbound.pressed }))) {
      const { externalKey } = inbound
      return { isOutdated: await keepNotification(store, connection.id, { externalKey, status: 'ignored', payload }) }
    }
    const homeId = await resolveConversationConnection(store, connection, inbound)
    const { taken, comment } = await recordRatingAnswer(ctx, store, connection, { inbound, payload, homeId })
    if (taken?.isNew) await applyEarlyEdits(ctx, store, connection, { inbound, homeId })
    if (taken) return { isConnected: true, isNew: taken.isNew, isDue: false, begins: null }
    const quoting = await resolveQuoted(store, connection, inbound)
    const stored = await storeMessage(store, connection, quoting, { payload, begins: slot, homeId })
    failpoint('message-written')
    const reactions = await react({ ctx, store, connection, inbound, homeId, stored, comment, slot })
    isBegun = reactions.begins !== null
    return { isConnected: stored.isConnected, isNew: stored.isNew, ...reactions }
  }
  return ctx.organization(connection.organizationId, run, { skipsDispatch: () => isBegun })
}

/** Not waited for: what the press says is stored. */
function answerPress(
  ctx: PipelineContext,
  connection: StoredConnection,
  { pressed, sender, text }: InboundMessage,
  isOutdated: boolean,
): void {
  if (!pressed) return
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const notice = isOutdated ? OUTDATED[answerLanguageFor(text, { earlier: [], tag: sender.language })] : null
  void ctx.services.channels[connection.channel].buttons?.answerPress?.(credentials, pressed.answerId, notice)
}
