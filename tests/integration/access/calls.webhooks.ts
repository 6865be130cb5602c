// Calls of the sweep over functions: webhooks.
import type { SweptCall } from './calls.ts'

const pages = { paginationOpts: { numItems: 10, cursor: null } }
const settings = { url: 'http://127.0.0.1:9/', description: '', types: ['conversation.ended'], perMinute: null }

export const WEBHOOK_CALLS: Record<string, SweptCall> = {
  'webhooks:counts': { args: ({ webhookId }) => ({ endpointId: webhookId }) },
  'webhooks:create': { args: () => settings, own: 'webhook_url_internal' },
  'webhooks:deliveries': { args: ({ webhookId }) => ({ endpointId: webhookId, ...pages }) },
  'webhooks:delivery': { args: ({ webhookDeliveryId }) => ({ deliveryId: webhookDeliveryId }) },
  'webhooks:list': { args: () => ({}) },
  'webhooks:remove': { args: ({ webhookId }) => ({ endpointId: webhookId }) },
  'webhooks:replay': { args: ({ webhookDeliveryId }) => ({ deliveryId: webhookDeliveryId }) },
  'webhooks:replayDead': { args: ({ webhookId }) => ({ endpointId: webhookId }) },
  'webhooks:rotateSecret': { args: ({ webhookId }) => ({ endpointId: webhookId }) },
  'webhooks:sendTest': { args: ({ webhookId }) => ({ endpointId: webhookId }) },
  'webhooks:setOn': { args: ({ webhookId }) => ({ endpointId: webhookId, isOn: true }) },
  'webhooks:update': {
    args: ({ webhookId }) => ({ endpointId: webhookId, ...settings }),
    own: 'webhook_url_internal',
  },
}
