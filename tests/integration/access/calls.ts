// For every public function: a call of it with the ids of one organization. A function without an entry makes the sweep red.
import type { ErrorCode } from '#shared/errors.ts'
import { ALERT_KINDS } from '#shared/organizations/alerts.ts'
import { ADMIN_CALLS } from './calls.admin.ts'
import { ADMIN_PLANS_CALLS } from './calls.admin-plans.ts'
import { ANALYTICS_CALLS } from './calls.analytics.ts'
import { AUDIT_CALLS } from './calls.audit.ts'
import { BILLING_CALLS } from './calls.billing.ts'
import { BRANDING_CALLS } from './calls.branding.ts'
import { HEALTH_CALLS } from './calls.health.ts'
import { INTEGRATION_CALLS } from './calls.integrations.ts'
import { PEOPLE_CALLS } from './calls.people.ts'
import { SECURITY_CALLS } from './calls.security.ts'
import { SUPPORT_CALLS } from './calls.support.ts'
import { TEST_CHAT_CALLS } from './calls.test-chat.ts'
import { TOOLS_CALLS } from './calls.tools.ts'
import { WEBHOOK_CALLS } from './calls.webhooks.ts'
import type { Ids } from './seed.ts'

export type SweptCall = {
  args: (ids: Ids) => Record<string, unknown>
  /** What a member gets with the ids of the own organization: success, or the refusal that this row's state demands. */
  own?: ErrorCode
}

const pages = { paginationOpts: { numItems: 10, cursor: null } }
const texts = { greeting: 'Hello', offline: '' }
const widget = {
  ...{ title: 'Shop', color: '#2f5d50', position: 'left' },
  ...{ hasAvatar: true, takesFiles: true },
  texts: { ru: texts, en: texts },
  domains: ['shop.example'],
}

const alertsOf = (to: string[]) => ({
  ways: Object.fromEntries(ALERT_KINDS.map((kind) => [kind, to])),
  hasSound: true,
  hasPreviews: true,
  quietHours: null,
  timeZone: 'UTC',
  language: 'en',
})
const botToken = '7654321:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'
const PUSH_ENDPOINT = { endpoint: 'https://push.example/of-the-sweep' }
const PUSH_KEYS = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }

export const CALLS: Record<string, SweptCall> = {
  ...INTEGRATION_CALLS,
  ...{ ...ADMIN_CALLS, ...ADMIN_PLANS_CALLS, ...ANALYTICS_CALLS, ...AUDIT_CALLS, ...BILLING_CALLS, ...BRANDING_CALLS },
  ...{ ...HEALTH_CALLS, ...PEOPLE_CALLS, ...SECURITY_CALLS, ...SUPPORT_CALLS, ...TEST_CHAT_CALLS, ...WEBHOOK_CALLS },
  ...TOOLS_CALLS,
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
  'agents/tables:ask': {
    args: ({ knowledgeSpaceId, agentId, tableId }) => ({ knowledgeSpaceId, agentId, question: { table: tableId } }),
  },
  'agents/tables:askModel': { args: ({ agentId }) => ({ agentId, query: 'How many?' }), own: 'model_cannot_write' },
  'agents/tables:list': { args: ({ knowledgeSpaceId, agentId }) => ({ knowledgeSpaceId, agentId }) },
  'agents/versions:get': { args: ({ agentId }) => ({ agentId, number: 1 }) },
  'agents/versions:list': { args: ({ agentId }) => ({ agentId, ...pages }) },
  'agents/versions:publish': { args: ({ agentId }) => ({ agentId, number: 1 }) },
  'agents/versions:restore': { args: ({ agentId }) => ({ agentId, number: 1 }) },
  'agents/keys:list': { args: ({ agentId }) => ({ agentId }) },
  'agents/keys:remove': { args: ({ agentId }) => ({ agentId, provider: 'openai' }) },
  'agents/keys:set': { args: ({ agentId }) => ({ agentId, provider: 'anthropic', key: 'sk-ant-of-the-sweep' }) },
  'agents/keys:test': { args: ({ agentId }) => ({ agentId, provider: 'google' }), own: 'key_missing' },
  'alerts:addPushDevice': { args: () => ({ ...PUSH_ENDPOINT, ...PUSH_KEYS, name: 'Browser' }) },
  'alerts:chat': { args: () => ({}) },
  'alerts:closeChat': { args: () => ({}) },
  'alerts:list': { args: () => ({}) },
  'alerts:markSeen': { args: ({ alertId }) => ({ alertIds: [alertId] }) },
  'alerts:openChat': { args: () => ({}), own: 'alert_bot_missing' },
  'alerts:pushDevices': { args: () => ({}) },
  'alerts:reach': { args: () => ({}) },
  'alerts:removePushDevice': { args: () => PUSH_ENDPOINT },
  'alerts:save': { args: () => alertsOf(['email']) },
  'alerts:setLanguage': { args: () => ({ language: 'en' }) },
  'alerts:settings': { args: () => ({}) },
  'alerts:testChat': { args: () => ({}), own: 'alert_bot_missing' },
  'alerts:testPush': { args: () => PUSH_ENDPOINT, own: 'push_device_missing' },
  'alerts:testEmail': { args: () => ({}), own: 'mail_not_configured' },
  'apiTokens:create': { args: () => ({ name: 'New' }) },
  'apiTokens:list': { args: () => ({}) },
  'apiTokens:revoke': { args: ({ apiTokenId }) => ({ apiTokenId }) },
  'channelConnections:demonstration': { args: () => ({}) },
  'channelConnections:health': { args: ({ connectionId }) => ({ connectionId }) },
  'channelConnections:left': { args: ({ agentId }) => ({ agentId }) },
  'channelConnections:list': { args: ({ agentId }) => ({ agentId }) },
  'channelConnections:quarantine': { args: ({ connectionId }) => ({ connectionId }) },
  'channelConnections:sending': { args: ({ connectionId }) => ({ connectionId }) },
  'channelConnections:setCaps': {
    args: ({ connectionId }) => ({ connectionId, caps: { perHour: 1, perDay: null, warmUp: 'careful' } }),
  },
  'channelConnections:slots': { args: () => ({}) },
  'channelConnections:test': { args: ({ connectionId }) => ({ connectionId }) },
  'channels/http:deliveries': { args: ({ httpId }) => ({ connectionId: httpId }) },
  'channels/http:disconnect': { args: ({ httpId }) => ({ connectionId: httpId }) },
  'channels/http:provision': { args: ({ agentId }) => ({ agentId, name: 'New', url: 'https://new.example' }) },
  'channels/http:rotateSecret': { args: ({ httpId }) => ({ connectionId: httpId, direction: 'inbound' }) },
  'channels/http:test': { args: ({ httpId }) => ({ connectionId: httpId }) },
  'channels/http:update': { args: ({ httpId }) => ({ connectionId: httpId, name: 'New', url: 'https://new.example' }) },
  'channels/messengers:check': { args: ({ maxId }) => ({ connectionId: maxId }), own: 'messenger_unreachable' },
  'channels/messengers:disconnect': { args: ({ maxId }) => ({ connectionId: maxId }) },
  'channels/messengers:provision': {
    args: ({ agentId }) => ({ agentId, channel: 'max', entered: { token: 'no token' } }),
    own: 'messenger_credentials_invalid',
  },
  'channels/messengers:rotate': {
    args: ({ maxId }) => ({ connectionId: maxId, entered: { token: 'no token' } }),
    own: 'messenger_credentials_invalid',
  },
  'channels/messengers:sendTest': {
    args: ({ maxId }) => ({ connectionId: maxId, chatId: '1', text: 'Hello' }),
    own: 'messenger_unreachable',
  },
  'channels/messengers:webhook': { args: ({ maxId }) => ({ connectionId: maxId }) },
  'channels/telegram:configure': {
    args: ({ connectionId }) => ({
      connectionId,
      settings: {
        isAgentOn: false,
        welcomeText: 'New',
        offlineText: 'New',
        stopText: '',
        sessionMinutes: 60,
        commands: [],
      },
    }),
  },
  'channels/telegram:disconnect': { args: ({ connectionId }) => ({ connectionId }) },
  'channels/telegram:provision': { args: ({ agentId }) => ({ agentId, botToken }), own: 'telegram_token_invalid' },
  'channels/telegram:reregister': { args: ({ connectionId }) => ({ connectionId }), own: 'telegram_token_invalid' },
  'channels/telegram:rotate': {
    args: ({ connectionId }) => ({ connectionId, botToken }),
    own: 'telegram_token_invalid',
  },
  'channels/telegram:sendTest': {
    args: ({ connectionId }) => ({ connectionId, chatId: '1', text: 'Hello' }),
    own: 'telegram_token_invalid',
  },
  'channels/telegram:webhook': { args: ({ connectionId }) => ({ connectionId }) },
  'channels/telegram:sync': { args: ({ connectionId }) => ({ connectionId }) },
  'channels/whatsappCloud:check': { args: ({ cloudId }) => ({ connectionId: cloudId }), own: 'cloud_secret_invalid' },
  'channels/whatsappCloud:disconnect': { args: ({ cloudId }) => ({ connectionId: cloudId }) },
  'channels/whatsappCloud:facts': { args: ({ cloudId }) => ({ connectionId: cloudId }), own: 'cloud_unreachable' },
  'channels/whatsappCloud:provision': {
    args: ({ agentId }) => ({
      agentId,
      phoneNumberId: '1234567890',
      accountId: '1234567891',
      accessToken: 'no token',
      appSecret: '0'.repeat(32),
    }),
    own: 'cloud_credentials_invalid',
  },
  'channels/whatsappCloud:rotate': {
    args: ({ cloudId }) => ({ connectionId: cloudId, accessToken: 'no token' }),
    own: 'cloud_credentials_invalid',
  },
  'channels/whatsappCloud:sendTest': {
    args: ({ cloudId }) => ({ connectionId: cloudId, phone: '+77001234567', text: 'Hello' }),
    own: 'cloud_unreachable',
  },
  'channels/whatsappCloud:webhook': { args: ({ cloudId }) => ({ connectionId: cloudId }) },
  'conversations/templates:list': {
    args: ({ conversationId }) => ({ conversationId }),
    own: 'channel_has_no_templates',
  },
  'conversations/templates:send': {
    args: ({ conversationId }) => ({ conversationId, name: 'hello', language: 'en', words: [] }),
    own: 'channel_has_no_templates',
  },
  'conversations/templates:window': { args: ({ conversationId }) => ({ conversationId }) },
  'channels/standIns:read': { args: ({ whatsappId }) => ({ connectionId: whatsappId }) },
  'channels/standIns:save': {
    args: ({ whatsappId }) => ({
      connectionId: whatsappId,
      settings: { standInId: null, afterMinutes: 15, notice: 'Another number' },
    }),
  },
  'channels/webchat:createIdentitySecret': { args: ({ webchatId }) => ({ connectionId: webchatId }) },
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
  'channels/whatsapp:createInstance': { args: ({ agentId }) => ({ agentId }), own: 'whatsapp_partner_missing' },
  'channels/whatsapp:disconnect': { args: ({ whatsappId }) => ({ connectionId: whatsappId }) },
  'channels/whatsapp:logout': { args: ({ whatsappId }) => ({ connectionId: whatsappId }), own: 'whatsapp_unreachable' },
  'channels/whatsapp:makesInstances': { args: () => ({}) },
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
  'channels/whatsapp:rotate': {
    args: ({ whatsappId }) => ({ connectionId: whatsappId, apiToken: 'f'.repeat(50) }),
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
  'conversations/canned:create': { args: () => ({ name: 'New', texts: { ru: '', en: 'Hello' } }) },
  'conversations/canned:list': { args: () => ({}) },
  'conversations/canned:remove': { args: ({ cannedReplyId }) => ({ cannedReplyId }) },
  'conversations/canned:update': {
    args: ({ cannedReplyId }) => ({ cannedReplyId, reply: { name: 'Changed', texts: { ru: '', en: 'Hello' } } }),
  },
  'conversations/contacts:erase': { args: ({ customerId }) => ({ customerId }) },
  'conversations/contacts:erasure': { args: ({ customerId }) => ({ customerId }) },
  'conversations/contacts:get': { args: ({ customerId }) => ({ customerId }) },
  'conversations/contacts:liftLegalHold': { args: ({ customerId }) => ({ customerId }) },
  'conversations/contacts:setLegalHold': { args: ({ customerId }) => ({ customerId, reason: 'A claim' }) },
  'conversations/contacts:merge': {
    args: ({ customerId }) => ({ survivorId: customerId, otherId: customerId }),
    own: 'contacts_one_already',
  },
  'conversations/contacts:metrics': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations/contacts:search': { args: () => ({ query: 'customer' }) },
  'conversations/contacts:separate': { args: ({ customerId }) => ({ customerId }) },
  'conversations/contacts:update': {
    args: ({ customerId }) => ({ customerId, patch: { name: 'Changed', tags: ['vip'] } }),
  },
  'conversations/drafts:list': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations/exports:cancel': { args: ({ exportId }) => ({ exportId }), own: 'export_not_cancellable' },
  'conversations/exports:create': {
    args: ({ agentId }) => ({ filter: { agentId }, format: 'csv', language: 'en', timeZone: 'UTC' }),
  },
  'conversations/exports:link': { args: ({ exportId }) => ({ exportId }) },
  'conversations/exports:list': { args: () => ({}) },
  'conversations/exports:remove': { args: ({ exportId }) => ({ exportId }) },
  'conversations/helper:rewrite': {
    args: ({ conversationId }) => ({ conversationId, draft: 'Hello', manner: 'kinder' }),
    own: 'model_cannot_write',
  },
  'conversations/helper:suggest': { args: ({ conversationId }) => ({ conversationId }), own: 'model_cannot_write' },
  'conversations/helper:summarize': { args: ({ conversationId }) => ({ conversationId }), own: 'model_cannot_write' },
  'conversations/helper:translate': {
    args: ({ conversationId }) => ({ conversationId, draft: 'Hello', language: 'ru' }),
    own: 'model_cannot_write',
  },
  'conversations/helper:translateMessage': { args: ({ questionId }) => ({ messageId: questionId, language: 'en' }) },
  'conversations/notes:add': {
    args: ({ conversationId, userId }) => ({ conversationId, text: 'Hm', mentions: [userId] }),
  },
  'conversations/notes:list': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations/notes:markSeen': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations/notes:mentions': { args: () => ({}) },
  'conversations/notes:remove': { args: ({ noteId }) => ({ noteId }) },
  'conversations/presence:announce': { args: ({ conversationId }) => ({ conversationId, state: 'typing' }) },
  'conversations/presence:list': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations/bulk:assign': {
    args: ({ conversationId, userId }) => ({ conversationIds: [conversationId], assigneeId: userId }),
  },
  'conversations/bulk:place': {
    args: ({ conversationId }) => ({ conversationIds: [conversationId], folder: 'archived' }),
  },
  'conversations/bulk:status': {
    args: ({ conversationId }) => ({ conversationIds: [conversationId], status: 'paused' }),
  },
  'conversations/bulk:tag': {
    args: ({ conversationId }) => ({ conversationIds: [conversationId], tag: 'vip', isOn: true }),
  },
  'conversations/bulk:undo': { args: () => ({ tickets: ['a ticket'] }), own: 'not_found' },
  'conversations/retention:get': { args: () => ({}) },
  'conversations/retention:preview': { args: () => ({ messages: 1, attachments: 1, traces: 1 }) },
  'conversations/retention:removals': { args: () => ({}) },
  'conversations/retention:set': { args: () => ({ messages: 365, attachments: 30, traces: null }) },
  'conversations/threads:merge': {
    args: ({ conversationId, otherConversationId }) => ({ conversationIds: [conversationId, otherConversationId] }),
    own: 'merged_already',
  },
  'conversations/threads:separate': { args: ({ threadId }) => ({ threadId }) },
  'conversations:end': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:found': { args: ({ conversationId }) => ({ conversationIds: [conversationId] }) },
  'conversations:get': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:list': { args: ({ agentId }) => ({ agentId, ...pages }) },
  'conversations:typing': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:markRead': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:matching': { args: ({ agentId }) => ({ agentId }) },
  'conversations:messages': { args: ({ conversationId }) => ({ conversationId, ...pages }) },
  'conversations:pause': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:queue': { args: () => ({}) },
  'conversations:reply': { args: ({ conversationId }) => ({ conversationId, text: 'Hello' }) },
  'conversations:resend': { args: ({ outboxId }) => ({ outboxId }) },
  'conversations:neighbours': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:resume': { args: ({ conversationId }) => ({ conversationId }) },
  'conversations:search': { args: () => ({ query: 'message' }) },
  'conversations:tags': { args: () => ({}) },
  'conversations/views:create': { args: () => ({ name: 'New', query: '?status=paused', isShared: true }) },
  'conversations/views:list': { args: () => ({}) },
  'conversations/views:remove': { args: ({ viewId }) => ({ viewId }) },
  'conversations/views:setDefault': { args: ({ viewId }) => ({ viewId }) },
  'conversations/views:update': { args: ({ viewId }) => ({ viewId, name: 'Changed', isShared: true }) },
  'conversations:unread': { args: () => ({}) },
  'conversations:explainMessage': { args: ({ messageId }) => ({ messageId }) },
  'conversations:why': { args: ({ turnId }) => ({ turnId }) },
  'knowledge/chunks:list': { args: ({ documentId }) => ({ sourceId: documentId, ...pages }) },
  'knowledge/chunks:list of a note': { args: ({ fragmentId }) => ({ sourceId: fragmentId, ...pages }) },
  'knowledge/chunks:locate': { args: ({ documentId, chunkId }) => ({ sourceId: documentId, chunkId }) },
  'knowledge/chunks:range': { args: ({ documentId }) => ({ sourceId: documentId, from: 0, count: 10 }) },
  'knowledge/chunks:source': { args: ({ fragmentId }) => ({ sourceId: fragmentId }) },
  'knowledge/chunks:update': { args: ({ chunkId }) => ({ chunkId, patch: { isEnabled: false } }) },
  'knowledge/documents:browse': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, ...pages }) },
  'knowledge/documents:cancel': { args: ({ documentId }) => ({ documentId }), own: 'document_not_cancellable' },
  'knowledge/documents:chooseEncoding': {
    args: ({ failedDocumentId }) => ({ documentId: failedDocumentId, encoding: 'windows-1251' }),
  },
  'knowledge/documents:count': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/documents:findNamed': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, names: ['a.txt'] }) },
  'knowledge/documents:get': { args: ({ documentId }) => ({ documentId }) },
  'knowledge/documents:includeHidden': { args: ({ documentId }) => ({ documentId, includesHidden: true }) },
  'knowledge/documents:keepBoth': { args: ({ documentId }) => ({ documentId }) },
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
  'knowledge/passages:countOtherwise': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
  'knowledge/passages:cutAnew': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId }) },
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
  'knowledge/tables:firstRows': { args: ({ tableId }) => ({ tableId }) },
  'knowledge/tables:get': { args: ({ tableId }) => ({ tableId }) },
  'knowledge/tables:importColumn': {
    args: ({ failedTableId }) => ({ tableId: failedTableId, column: 1 }),
    own: 'table_not_analyzed',
  },
  'knowledge/tables:list': { args: ({ knowledgeSpaceId }) => ({ knowledgeSpaceId, ...pages }) },
  'knowledge/tables:listWork': { args: () => ({}) },
  'knowledge/tables:remove': { args: ({ tableId }) => ({ tableId }) },
  'knowledge/tables:retry': { args: ({ failedTableId }) => ({ tableId: failedTableId }) },
  'knowledge/tables:rows': { args: ({ tableId }) => ({ tableId, ...pages }) },
  'knowledge/tables:setColumnType': {
    args: ({ failedTableId }) => ({ tableId: failedTableId, column: 1, type: 'number' }),
    own: 'table_not_analyzed',
  },
  'knowledge/tables:setReading': { args: ({ tableId }) => ({ tableId, reading: {} }) },
  'knowledge/tables:settleColumn': {
    args: ({ tableId }) => ({ tableId, column: 1, means: 'decimal' as const }),
    own: 'invalid_arguments',
  },
  'knowledge/tables:sheets': { args: ({ tableId }) => ({ tableId }) },
  'knowledge/tables:takeSheets': { args: ({ tableId }) => ({ tableId, sheets: ['List'] }), own: 'invalid_arguments' },
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
  'models:media': { args: () => ({}) },
  'models:list': { args: () => ({}) },
  'organizations/operators:list': { args: () => ({}) },
  'organizations/operators:update': {
    args: ({ userId }) => ({ userId, patch: { acceptsAssignments: true, capacity: 3 } }),
  },
  'organizations:members': { args: () => ({}) },
  'organizations:update': { args: () => ({ patch: { limitText: 'Later' } }) },
  'organizations:create': { args: () => ({ organizationName: 'Another' }), own: 'organization_exists' },
}

/** Wire name of an entry: several entries may try one function. */
export function functionOf(entry: string): string {
  return entry.split(' ')[0] ?? entry
}
