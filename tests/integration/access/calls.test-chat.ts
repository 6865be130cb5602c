// Calls of the sweep over functions: the test chat.
import type { SweptCall } from './calls.ts'

const pages = { paginationOpts: { numItems: 10, cursor: null } }

export const TEST_CHAT_CALLS: Record<string, SweptCall> = {
  'testChat:clear': { args: ({ agentId }) => ({ agentId }) },
  'testChat:edit': { args: ({ agentId, turnId }) => ({ agentId, messageId: turnId, text: 'Hello' }), own: 'not_found' },
  'testChat:history': { args: ({ agentId }) => ({ agentId, ...pages }) },
  'testChat:messages': { args: ({ agentId }) => ({ agentId }) },
  'testChat:regenerate': { args: ({ agentId }) => ({ agentId }), own: 'nothing_to_regenerate' },
  'testChat:reply': { args: ({ agentId }) => ({ agentId, text: 'Hello' }) },
  'testChat:resume': { args: ({ agentId }) => ({ agentId }) },
  'testChat:send': { args: ({ agentId }) => ({ agentId, text: 'Hello' }) },
  'testChat:share': { args: ({ agentId }) => ({ agentId }), own: 'nothing_to_share' },
  'testChat:state': { args: ({ agentId }) => ({ agentId }) },
  'testChat:stop': { args: ({ agentId }) => ({ agentId }), own: 'nothing_to_stop' },
  // Test chats are each person's own: the seeded turn is one of the inbox.
  'testChat:explainMessage': { args: ({ messageId }) => ({ messageId }), own: 'not_found' },
  'testChat:why': { args: ({ turnId }) => ({ turnId }), own: 'not_found' },
}
