// For every public function: a call of it with the ids of one organization. A function without an entry makes the sweep red.
import type { ErrorCode } from '#shared/errors.ts'
import type { Ids } from './seed.ts'

export type SweptCall = {
  args: (ids: Ids) => Record<string, unknown>
  /** What a member gets with the ids of the own organization: success, or the refusal that this row's state demands. */
  own?: ErrorCode
}

const pages = { paginationOpts: { numItems: 10, cursor: null } }
const range = { start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 0, 2) }

const texts = { greeting: 'Hello', offline: '' }
const widget = {
  title: 'Shop',
  color: '#2f5d50',
  position: 'left',
  hasAvatar: true,
  texts: { ru: texts, en: texts },
  domains: ['shop.example'],
}

export const CALLS: Record<string, SweptCall> = {
  'agentFunctions:list': { args: ({ agentId }) => ({ agentId }) },
  'agents:create': { args: () => ({ name: 'New' }) },
  'agents:get': { args: ({ agentSlug, organizationId }) => ({ slug: agentSlug, organizationId }) },
  'agents:get by id': { args: ({ agentId }) => ({ id: agentId }) },
  'agents:list': { args: () => ({}) },
  'agents:loadAvatar': {
    args: ({ agentId }) => ({ id: agentId, url: 'http://127.0.0.1:9/' }),
    own: 'avatar_not_loadable',
  },
  'agents:remove': { args: ({ agentId }) => ({ id: agentId }) },
  'agents:update': { args: ({ agentId }) => ({ id: agentId, patch: { name: 'Changed' } }) },
  'agents/prompts:discard': { args: ({ agentId }) => ({ agentId }) },
  'agents/prompts:draft': { args: ({ agentId }) => ({ agentId }) },
  'agents/prompts:generate': {
    args: ({ agentId }) => ({ agentId, description: 'A shop', language: 'en' }),
    own: 'model_cannot_write',
  },
  'agents/search:explain': { args: ({ agentId }) => ({ agentId, query: 'body' }) },
  'agents/versions:get': { args: ({ agentId }) => ({ agentId, number: 1 }) },
  'agents/versions:list': { args: ({ agentId }) => ({ agentId, ...pages }) },
  'agents/versions:publish': { args: ({ agentId }) => ({ agentId, number: 1 }) },
  'agents/versions:restore': { args: ({ agentId }) => ({ agentId, number: 1 }) },
  'agents/keys:list': { args: ({ agentId }) => ({ agentId }) },
  'agents/keys:remove': { args: ({ agentId }) => ({ agentId, provider: 'openai' }) },
  'agents/keys:set': { args: ({ agentId }) => ({ agentId, provider: 'anthropic', key: 'sk-ant-of-the-sweep' }) },
  'agents/keys:test': { args: ({ agentId }) => ({ agentId, provider: 'google' }), own: 'key_missing' },
  'analytics:recordSlugFallback': { args: ({ agentId }) => ({ type: 'agent', identifier: agentId }) },
  'apiTokens:create': { args: () => ({ name: 'New' }) },
  'apiTokens:list': { args: () => ({}) },
  'apiTokens:revoke': { args: ({ apiTokenId }) => ({ apiTokenId }) },
  'billing:getOrganizationUsageOverview': { args: ({ organizationId }) => ({ organizationId, timeRange: range }) },
  'billing:listAgentDays': { args: () => ({}) },
  'channelConnections:list': { args: ({ agentId }) => ({ agentId }) },
  'channels/http:deliveries': { args: ({ httpId }) => ({ connectionId: httpId }) },
  'channels/http:disconnect': { args: ({ httpId }) => ({ connectionId: httpId }) },
  'channels/http:provision': { args: ({ agentId }) => ({ agentId, name: 'New', url: 'https://new.example' }) },
  'channels/http:rotateSecret': { args: ({ httpId }) => ({ connectionId: httpId, direction: 'inbound' }) },
  'channels/http:test': { args: ({ httpId }) => ({ connectionId: httpId }) },
  'channels/http:update': { args: ({ httpId }) => ({ connectionId: httpId, name: 'New', url: 'https://new.example' }) },
  'channels/telegram:disconnect': { args: ({ connectionId }) => ({ connectionId }) },
  'channels/telegram:provision': {
    args: ({ agentId }) => ({ agentId, botToken: '7654321:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB' }),
    own: 'telegram_token_invalid',
  },
  'channels/webchat:disconnect': { args: ({ webchatId }) => ({ connectionId: webchatId }) },
  'channels/webchat:provision': { args: ({ agentId }) => ({ agentId, widget }) },
  'channels/webchat:update': { args: ({ webchatId }) => ({ connectionId: webchatId, widget }) },
  'channels/whatsapp:clearQueue': {
    args: ({ whatsappId }) => ({ connectionId: whatsappId }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:configure': {
    args: ({ whatsappId }) => ({
      connectionId: whatsappId,
      settings: { delayMs: 1000, marksRead: false, marksReadOnReply: false, keepsOnline: false },
    }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:disconnect': { args: ({ whatsappId }) => ({ connectionId: whatsappId }) },
  'channels/whatsapp:logout': { args: ({ whatsappId }) => ({ connectionId: whatsappId }), own: 'whatsapp_unreachable' },
  'channels/whatsapp:phoneCode': {
    args: ({ whatsappId }) => ({ connectionId: whatsappId, phone: '+7 700 123 45 67' }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:provision': {
    args: ({ agentId }) => ({ agentId, idInstance: '7103000002', apiToken: 'b'.repeat(50) }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:qr': { args: ({ whatsappId }) => ({ connectionId: whatsappId }), own: 'whatsapp_unreachable' },
  'channels/whatsapp:reboot': { args: ({ whatsappId }) => ({ connectionId: whatsappId }), own: 'whatsapp_unreachable' },
  'channels/whatsapp:refresh': {
    args: ({ whatsappId }) => ({ connectionId: whatsappId }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:sendTest': {
    args: ({ whatsappId }) => ({ connectionId: whatsappId, phone: '+7 700 123 45 67', text: 'Hello' }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:setDelivery': {
    args: ({ whatsappId }) => ({ connectionId: whatsappId, delivery: 'polling' }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:setup': {
    args: ({ whatsappId }) => ({ connectionId: whatsappId }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:validate': {
    args: ({ whatsappId }) => ({ connectionId: whatsappId }),
    own: 'whatsapp_unreachable',
  },
  'channels/whatsapp:waiting': { args: ({ whatsappId }) => ({ connectionId: whatsappId }) },
  'conversations:end': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:get': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:list': { args: ({ agentId }) => ({ agentId, ...pages }) },
  'conversations:typing': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:markRead': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:messages': { args: ({ conversationId }) => ({ conversationId, ...pages }) },
  'conversations:pause': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:reply': { args: ({ conversationId }) => ({ conversationId, text: 'Hello' }) },
  'conversations:resend': { args: ({ outboxId }) => ({ outboxId }) },
  'conversations:resume': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:why': { args: ({ turnId }) => ({ turnId }) },
  'knowledge/chunks:list': { args: ({ documentId }) => ({ sourceId: documentId, ...pages }) },
  'knowledge/chunks:list of a note': { args: ({ fragmentId }) => ({ sourceId: fragmentId, ...pages }) },
  'knowledge/chunks:locate': { args: ({ documentId, chunkId }) => ({ sourceId: documentId, chunkId }) },
  'knowledge/chunks:range': { args: ({ documentId }) => ({ sourceId: documentId, from: 0, count: 10 }) },
  'knowledge/chunks:source': { args: ({ fragmentId }) => ({ sourceId: fragmentId }) },
  'knowledge/chunks:update': { args: ({ chunkId }) => ({ chunkId, patch: { isEnabled: false } }) },
  'knowledge/documents:browse': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, ...pages }) },
  'knowledge/documents:cancel': { args: ({ documentId }) => ({ documentId }), own: 'document_not_cancellable' },
  'knowledge/documents:count': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/documents:get': { args: ({ documentId }) => ({ documentId }) },
  'knowledge/documents:list': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/documents:listWork': { args: () => ({}) },
  'knowledge/documents:remove': { args: ({ documentId }) => ({ documentId }) },
  'knowledge/documents:retry': { args: ({ failedDocumentId }) => ({ documentId: failedDocumentId }) },
  'knowledge/embeddings:cancel': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/embeddings:progress': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/embeddings:resume': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/fragments:create': {
    args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, name: 'New', content: 'New content' }),
  },
  'knowledge/fragments:get': { args: ({ fragmentId }) => ({ fragmentId }) },
  'knowledge/fragments:importMany': {
    args: ({ knowledgeSpaceId }) => ({
      knowledgeSpaceId,
      notes: [{ name: 'New', content: 'New content', alsoAskedAs: [] }],
    }),
  },
  'knowledge/fragments:list': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, ...pages }) },
  'knowledge/fragments:remove': { args: ({ fragmentId }) => ({ fragmentId }) },
  'knowledge/fragments:update': { args: ({ fragmentId }) => ({ fragmentId, patch: { content: 'Changed' } }) },
  'knowledge/cases:list': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/cases:mark': {
    args: ({ knowledgeSpaceId, chunkId }) => ({ knowledgeSpaceId, chunkId, question: 'body', isExpected: true }),
  },
  'knowledge/cases:remove': { args: ({ caseId }) => ({ caseId }) },
  'knowledge/cases:score': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/proposals:approve': {
    args: ({ proposalId }) => ({ proposalId, question: 'Question', answer: 'Answer', replaces: false }),
  },
  'knowledge/proposals:learning': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/proposals:list': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/proposals:reject': { args: ({ proposalId }) => ({ proposalId }) },
  'knowledge/proposals:reopen': { args: ({ proposalId }) => ({ proposalId }), own: 'not_found' },
  'knowledge/proposals:setLearning': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, isOn: false }) },
  'knowledge/proposals:waiting': { args: () => ({}) },
  'knowledge/queries:gaps': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/queries:list': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, ...pages }) },
  'knowledge/queries:settle': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, gist: 'gist' }) },
  'knowledge/marks:update': { args: ({ documentId }) => ({ sourceId: documentId, patch: { tags: ['new'] } }) },
  'knowledge/questions:progress': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/questions:set': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, isOn: true }) },
  'knowledge/review:dismiss': { args: ({ pairId }) => ({ pairId, isDismissed: true }) },
  'knowledge/review:pairs': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/review:unfounded': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/search:explain': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, query: 'body' }) },
  'knowledge/search:samples': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/search:run': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, query: 'body' }) },
  'knowledge/sites:cancel': { args: ({ siteId }) => ({ siteId }), own: 'site_not_syncing' },
  'knowledge/sites:create': {
    args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, url: 'https://127.0.0.1/', mode: 'crawl' }),
  },
  'knowledge/sites:list': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/sites:listWork': { args: () => ({}) },
  'knowledge/sites:pages': { args: ({ siteId }) => ({ siteId, ...pages }) },
  'knowledge/sites:remove': { args: ({ siteId }) => ({ siteId }) },
  'knowledge/sites:retryPage': { args: ({ sitePageId }) => ({ sitePageId }) },
  'knowledge/sites:syncNow': { args: ({ siteId }) => ({ siteId }) },
  'knowledge/sites:update': { args: ({ siteId }) => ({ siteId, patch: { maxPages: 5 } }) },
  'knowledge/spaces:create': { args: () => ({ name: 'New' }) },
  'knowledge/spaces:get': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/spaces:getBySlug': {
    args: ({ knowledgeSpaceSlug, organizationId }) => ({ slug: knowledgeSpaceSlug, organizationId }),
  },
  'knowledge/spaces:linkAgent': { args: ({ knowledgeSpaceId, agentId }) => ({ knowledgeSpaceId, agentId }) },
  'knowledge/spaces:listLinks': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/spaces:list': { args: () => ({}) },
  'knowledge/spaces:remove': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, isConfirmed: true }) },
  'knowledge/spaces:remove unconfirmed': {
    args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }),
    own: 'space_in_use',
  },
  'knowledge/spaces:restore': { args: ({ removedSpaceId }) => ({ knowledgeSpaceId: removedSpaceId }) },
  'knowledge/spaces:unlinkAgent': { args: ({ knowledgeSpaceId, agentId }) => ({ knowledgeSpaceId, agentId }) },
  'knowledge/spaces:updateLink': {
    args: ({ knowledgeSpaceId, agentId }) => ({ knowledgeSpaceId, agentId, patch: { enabledSources: ['documents'] } }),
  },
  'knowledge/spaces:update': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, patch: { name: 'Changed' } }) },
  'knowledge/tables:cancel': { args: ({ tableId }) => ({ tableId }), own: 'table_not_cancellable' },
  'knowledge/tables:chunks': { args: ({ tableId }) => ({ tableId, ...pages }) },
  'knowledge/tables:clearImport': { args: ({ tableId }) => ({ tableId }), own: 'table_has_no_chunks' },
  'knowledge/tables:get': { args: ({ tableId }) => ({ tableId }) },
  'knowledge/tables:importColumn': {
    args: ({ failedTableId }) => ({ tableId: failedTableId, column: 1 }),
    own: 'table_not_analyzed',
  },
  'knowledge/tables:list': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/tables:listWork': { args: () => ({}) },
  'knowledge/tables:remove': { args: ({ tableId }) => ({ tableId }) },
  'knowledge/tables:retry': { args: ({ failedTableId }) => ({ tableId: failedTableId }) },
  'knowledge/tables:rows': { args: ({ tableId }) => ({ tableId, ...pages }) },
  'knowledge/webSearch:addDomain': {
    args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, domain: 'example.com' }),
  },
  'knowledge/webSearch:get': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/webSearch:removeDomain': {
    args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, domain: 'example.com' }),
  },
  'knowledge/webSearch:state': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/webSearch:test': {
    args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, query: 'body' }),
    own: 'web_search_not_configured',
  },
  'knowledge/webSearch:update': {
    args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, patch: { isEnabled: true } }),
  },
  'models:list': { args: () => ({}) },
  'organizations:update': { args: () => ({ patch: { limitText: 'Later' } }) },
  'organizations:create': { args: () => ({ organizationName: 'Another' }), own: 'organization_exists' },
  'testChat:clear': { args: ({ agentId }) => ({ agentId }) },
  'testChat:edit': { args: ({ agentId, turnId }) => ({ agentId, messageId: turnId, text: 'Hello' }), own: 'not_found' },
  'testChat:history': { args: ({ agentId }) => ({ agentId, ...pages }) },
  'testChat:messages': { args: ({ agentId }) => ({ agentId }) },
  'testChat:regenerate': { args: ({ agentId }) => ({ agentId }), own: 'nothing_to_regenerate' },
  'testChat:reply': { args: ({ agentId }) => ({ agentId, text: 'Hello' }) },
  'testChat:resume': { args: ({ agentId }) => ({ agentId }) },
  'testChat:send': { args: ({ agentId }) => ({ agentId, text: 'Hello' }) },
  'testChat:state': { args: ({ agentId }) => ({ agentId }) },
  'testChat:stop': { args: ({ agentId }) => ({ agentId }), own: 'nothing_to_stop' },
  // Test chats are each person's own: the seeded turn is one of the inbox.
  'testChat:why': { args: ({ turnId }) => ({ turnId }), own: 'not_found' },
  'users:current': { args: () => ({}) },
  'users:ensure': { args: () => ({}) },
}

/** Wire name of an entry: several entries may try one function. */
export function functionOf(entry: string): string {
  return entry.split(' ')[0] ?? entry
}
