// Takes in one notification of a provider: durable first, then answered. No model and no network in here.
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { Handler, Received } from './handler.ts'
import { receiveEdit } from './handlers/edit.ts'
import { receiveAccountState, receiveBusiness, receiveChatMoved, receiveReceipt } from './handlers/external-events.ts'
import { receiveHumanReply } from './handlers/human-reply.ts'
import { receiveIgnored, receiveUnknown } from './handlers/kept.ts'
import { receiveMessage } from './handlers/message.ts'
import { receiveRating } from './handlers/rating.ts'

const HANDLERS: { [Kind in Inbound['kind']]: Handler<Kind> } = {
  message: receiveMessage,
  edit: receiveEdit,
  rating: receiveRating,
  humanReply: receiveHumanReply,
  receipt: receiveReceipt,
  accountState: receiveAccountState,
  chatMoved: receiveChatMoved,
  business: receiveBusiness,
  ignored: receiveIgnored,
  unknown: receiveUnknown,
}

/** Stores what came in, in one transaction, and wakes the runner. Safe to repeat: the same notification changes nothing. */
export function receive(
  ctx: PipelineContext,
  connection: StoredConnection,
  inbound: Inbound,
  payload: unknown,
): Promise<Received> {
  failpoint('notification-taken')
  const handle = HANDLERS[inbound.kind] as Handler<Inbound['kind']>
  return handle(ctx, connection, { inbound, payload })
}
