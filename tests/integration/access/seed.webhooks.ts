// An endpoint of webhooks, and an event that it has taken.
import { sealSecret } from '#server/domain/webhooks/secrets.rules.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Ids, Insert, Text } from './seed.ts'

/** One row in each of their tables. */
export async function seedWebhooks(insert: Insert, ids: Ids, text: Text, secrets: Secrets): Promise<void> {
  const { organizationId: organization_id, conversationId: conversation_id, webhookId: endpoint_id } = ids
  const eventId = newId('webhookEvents')
  const of = { organization_id, endpoint_id }
  await insert('webhook_endpoints', {
    ...{ id: endpoint_id, organization_id, url: `https://shop.example/${text('hook')}`, description: text('hook') },
    ...{ types: ['conversation.rated'], per_minute: null, created_by: ids.userId, disabled_reason: null, state: 'off' },
    ...{ secret: sealSecret(secrets, endpoint_id, text('secret')), previous_secret: null, previous_until: null },
    ...{ failing_since: null, retry_at: null, full_since: null, minute_at: null, last_delivered_at: null },
  })
  const subject = text('subject')
  await insert('webhook_events', {
    ...{
      id: eventId,
      organization_id,
      type: 'conversation.rated',
      subject,
      conversation_id,
      once_key: null,
      endpoint_id,
    },
    data: JSON.stringify({ comment: text('data') }),
  })
  // Besides the one that a trigger has queued, which waits while the endpoint is off.
  await insert('webhook_deliveries', {
    ...{ id: ids.webhookDeliveryId, ...of, event_id: eventId, type: 'conversation.rated', subject, state: 'delivered' },
    ...{ first_tried_at: null, last_tried_at: null, last_status: 200, last_error: text('error') },
  })
  const answered = { status: 200, error: text('error'), latency_ms: 1, answer: text('answer') }
  await insert('webhook_attempts', { organization_id, delivery_id: ids.webhookDeliveryId, number: 1, ...answered })
}
