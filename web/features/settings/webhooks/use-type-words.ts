// Types of events in words.
import type { WebhookType } from '#shared/webhooks/webhooks.ts'
import { useTranslation } from '#web/lib/i18n.ts'

const KEYS = {
  'conversation.begun': 'conversationBegun',
  'message.incoming': 'messageIncoming',
  'message.outgoing': 'messageOutgoing',
  'conversation.handed_off': 'conversationHandedOff',
  'conversation.ended': 'conversationEnded',
  'conversation.rated': 'conversationRated',
  'booking.created': 'bookingCreated',
  'booking.changed': 'bookingChanged',
  'booking.cancelled': 'bookingCancelled',
  'document.failed': 'documentFailed',
  'limit.near': 'limitNear',
  'webhook.test': 'test',
} as const satisfies Partial<Record<WebhookType, string>>

/** What a type is called; one without words is shown by the name that programs know. */
export function useTypeWords(): (type: WebhookType) => string {
  const { t } = useTranslation('webhooks')
  return (type) => (type in KEYS ? t(($) => $.typeNames[KEYS[type as keyof typeof KEYS]]) : type)
}
