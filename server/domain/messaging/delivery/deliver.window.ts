// The time after a customer's last message in which a channel accepts free-form text: checked before its provider has to refuse it.
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { OutgoingPart } from '../outbox/deliver.store.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { NotTriedError } from './deliver.rules.ts'
import { hasWrittenWithin } from './last-customer-message.store.ts'

/**
 * Refuses free-form text to a customer who has been silent for too long.
 *
 * @param windowMs null: the channel accepts it at any time
 * @throws AdapterError; NotTriedError when it cannot be known
 */
export async function checkWindow(
  ctx: Pick<PipelineContext, 'read'>,
  windowMs: number | null,
  { organizationId, conversationId, template }: Pick<OutgoingPart, 'organizationId' | 'conversationId' | 'template'>,
): Promise<void> {
  if (windowMs === null || template) return
  const isOpen = await ctx
    .read(organizationId, (store) => hasWrittenWithin(store, conversationId, windowMs))
    .catch(() => Promise.reject(new NotTriedError('it is not known when the customer last wrote')))
  if (!isOpen) throw new AdapterError('out_of_window', 'the customer last wrote too long ago')
}
