// An organization with a row in every tenant table, and a unique text in every text column.
import type { Insertable } from 'kysely'
import { greenApiToken } from '#server/integrations/channels/green-api/green-api.access.ts'
import { httpToken, newSecret } from '#server/integrations/channels/http-channel/http-channel.access.ts'
import { cloudToken } from '#server/integrations/channels/whatsapp-cloud/whatsapp-cloud.access.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Tables } from '#server/platform/db/tables/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import { seedApi } from './seed.api.ts'
import { seedDesk } from './seed.desk.ts'
import { newToolIds, seedTools, type ToolIds } from './seed.tools.ts'
import { seedVisitors, widgetSettings } from './seed.webchat.ts'
import { seedWebhooks } from './seed.webhooks.ts'

/** An address without a service. */
export const UNREACHABLE = 'http://127.0.0.1:9'

export type Ids = {
  organizationId: Id<'organizations'>
  userId: Id<'users'>
  agentId: Id<'agents'>
  agentSlug: string
  agentVersionId: Id<'agentVersions'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  knowledgeSpaceSlug: string
  removedSpaceId: Id<'knowledgeSpaces'>
  documentId: Id<'documents'>
  failedDocumentId: Id<'documents'>
  fragmentId: Id<'fragments'>
  chunkId: Id<'chunks'>
  tableId: Id<'tables'>
  failedTableId: Id<'tables'>
  siteId: Id<'sites'>
  sitePageId: Id<'sitePages'>
  connectionId: Id<'channelConnections'>
  whatsappId: Id<'channelConnections'>
  cloudId: Id<'channelConnections'>
  maxId: Id<'channelConnections'>
  httpId: Id<'channelConnections'>
  webchatId: Id<'channelConnections'>
  customerId: Id<'customers'>
  conversationId: Id<'conversations'>
  /** Merged with `conversationId`. */
  otherConversationId: Id<'conversations'>
  threadId: Id<'threads'>
  messageId: Id<'messages'>
  /** The customer's message. */
  questionId: Id<'messages'>
  turnId: Id<'turns'>
  outboxId: Id<'outbox'>
  noteId: Id<'conversationNotes'>
  cannedReplyId: Id<'cannedReplies'>
  viewId: Id<'inboxViews'>
  exportId: Id<'exports'>
  alertId: Id<'alerts'>
  apiTokenId: Id<'apiTokens'>
  inviteId: Id<'invites'>
  caseId: Id<'knowledgeCases'>
  proposalId: Id<'knowledgeProposals'>
  pairId: Id<'knowledgePairs'>
  webhookId: Id<'webhookEndpoints'>
  webhookDeliveryId: Id<'webhookDeliveries'>
} & ToolIds

type Row<Table extends keyof Tables> = Insertable<Tables[Table]>

/** Fills an organization. Every text begins with `canary`. */
export async function seedOrganization(
  database: Database,
  secrets: Secrets,
  owner: { organizationId: Id<'organizations'>; userId: Id<'users'> },
  canary: string,
): Promise<Ids> {
  const text = (what: string) => `${canary} ${what}`
  const ids: Ids = {
    ...owner,
    agentId: newId('agents'),
    agentSlug: `${canary}-agent`,
    agentVersionId: newId('agentVersions'),
    knowledgeSpaceId: newId('knowledgeSpaces'),
    knowledgeSpaceSlug: `${canary}-space`,
    removedSpaceId: newId('knowledgeSpaces'),
    documentId: newId('documents'),
    failedDocumentId: newId('documents'),
    fragmentId: newId('fragments'),
    chunkId: newId('chunks'),
    ...{ tableId: newId('tables'), failedTableId: newId('tables') },
    ...{ siteId: newId('sites'), sitePageId: newId('sitePages') },
    connectionId: newId('channelConnections'),
    whatsappId: newId('channelConnections'),
    cloudId: newId('channelConnections'),
    maxId: newId('channelConnections'),
    httpId: newId('channelConnections'),
    webchatId: newId('channelConnections'),
    customerId: newId('customers'),
    conversationId: newId('conversations'),
    otherConversationId: newId('conversations'),
    ...{ threadId: newId('threads'), messageId: newId('messages'), questionId: newId('messages') },
    ...{ turnId: newId('turns'), outboxId: newId('outbox') },
    ...{ noteId: newId('conversationNotes'), cannedReplyId: newId('cannedReplies') },
    ...{ viewId: newId('inboxViews'), exportId: newId('exports') },
    ...{ alertId: newId('alerts'), apiTokenId: newId('apiTokens'), inviteId: newId('invites') },
    ...{ caseId: newId('knowledgeCases'), proposalId: newId('knowledgeProposals') },
    ...{ pairId: newId('knowledgePairs'), webhookId: newId('webhookEndpoints') },
    webhookDeliveryId: newId('webhookDeliveries'),
    ...newToolIds(),
  }
  const insert = <Table extends keyof Tables>(table: Table, row: Row<Table>) =>
    database.root.insertInto(table).values(row).execute()
  await seedKnowledge(insert, ids, text, secrets)
  await seedTables(insert, ids, text)
  await seedApi(insert, ids, text)
  await seedWeb(insert, ids, text)
  await seedConnections(insert, ids, text, secrets)
  await seedConversation(insert, ids, text, secrets)
  await seedTools(insert, ids, text, secrets)
  await seedWebhooks(insert, ids, text, secrets)
  return ids
}

/** Puts a row into a table. */
export type Insert = <Table extends keyof Tables>(table: Table, row: Row<Table>) => Promise<unknown>
/** A text that is recognized if it leaks. */
export type Text = (what: string) => string

async function seedKnowledge(insert: Insert, ids: Ids, text: Text, secrets: Secrets): Promise<void> {
  const organization_id = ids.organizationId
  const knowledge_space_id = ids.knowledgeSpaceId
  await insert('agents', {
    id: ids.agentId,
    organization_id,
    slug: ids.agentSlug,
    name: text('agent'),
    avatar: null,
    deleted_at: null,
  })
  await insert('agent_versions', {
    id: ids.agentVersionId,
    organization_id,
    agent_id: ids.agentId,
    number: 1,
    settings: JSON.stringify({ systemPrompt: text('system prompt'), model: 'parley-extractive' }),
    author_id: null,
    restored_from: null,
  })
  await insert('prompt_drafts', {
    id: newId(),
    organization_id,
    agent_id: ids.agentId,
    user_id: ids.userId,
    description: text('wish'),
    language: 'en',
    status: 'complete',
    text: text('instructions'),
    reason: null,
  })
  const place = `agent_keys|${ids.agentId}/openai|key`
  await insert('agent_keys', {
    organization_id,
    agent_id: ids.agentId,
    provider: 'openai',
    key: secrets.encrypt(text('key'), place),
    key_tail: text('tail'),
  })
  await insert('knowledge_spaces', {
    id: knowledge_space_id,
    organization_id,
    slug: ids.knowledgeSpaceSlug,
    name: text('space'),
    description: text('description'),
  })
  await insert('knowledge_spaces', {
    id: ids.removedSpaceId,
    organization_id,
    slug: `${ids.knowledgeSpaceSlug}-removed`,
    name: text('removed space'),
    description: text('removed description'),
    deleted_at: new Date(Date.now() + 3_600_000), // in the future, so that the job that purges such spaces leaves it alone on a slow machine
  })
  await insert('agent_knowledge_spaces', { organization_id, agent_id: ids.agentId, knowledge_space_id })
  const document = { organization_id, knowledge_space_id, format: 'txt' as const, size_bytes: 10, page_count: null }
  const common = { ...document, warnings: '[]', heartbeat_at: null }
  const ready = { id: ids.documentId, name: text('document'), file_key: `${newId()}.txt` }
  await insert('documents', { ...common, ...ready, status: 'ready', error_reason: null })
  const failed = { id: ids.failedDocumentId, name: text('failed document'), file_key: `${newId()}.txt` }
  await insert('documents', { ...common, ...failed, status: 'error', error_reason: 'failed' })
  await insert('fragments', {
    id: ids.fragmentId,
    organization_id,
    knowledge_space_id,
    name: text('fragment'),
    content: text('fragment content'),
    also_asked_as: JSON.stringify([text('also asked as')]),
    token_count: 5,
  })
  const chunk_id = ids.chunkId
  const content_hash = newId()
  await insert('chunks', {
    id: chunk_id,
    organization_id,
    knowledge_space_id,
    source_kind: 'document',
    source_id: ids.documentId,
    ordinal: 0,
    title: text('title'),
    heading_path: JSON.stringify([text('heading')]),
    body: text('body'),
    also_asked_as: '[]',
    token_count: 5,
    content_hash,
    page: null,
    start_offset: 0,
    end_offset: 10,
  })
  await insert('staged_chunks', {
    organization_id,
    document_id: ids.documentId,
    ordinal: 0,
    id: newId('chunks'),
    title: text('next title'),
    heading_path: JSON.stringify([text('next heading')]),
    body: text('next body'),
    token_count: 5,
    content_hash: newId(),
    page: null,
    last_page: null,
    sheet: null,
    first_row: null,
    last_row: null,
    start_offset: 0,
    end_offset: 10,
  })
  const vector = new Uint8Array([1, 2, 3])
  await insert('chunk_vectors', { organization_id, knowledge_space_id, chunk_id, model: 'model', content_hash, vector })
}

async function seedWeb(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, knowledgeSpaceId: knowledge_space_id } = ids
  const space = { organization_id, knowledge_space_id }
  const domains = JSON.stringify([text('domain')])
  await insert('web_search_settings', { ...space, is_enabled: true, domains, daily_limit: 10 })
  await insert('web_searches', { ...space, id: newId(), provider: 'searxng' })
  const reading = { max_pages: 10, max_depth: 1, every_hours: null, heartbeat_at: null }
  const site = { ...reading, id: ids.siteId, url: text('site'), mode: 'crawl' as const }
  const times = { last_synced_at: null, next_sync_at: null }
  await insert('sites', { ...space, ...site, ...times, status: 'ready', error_reason: null })
  const page = {
    id: ids.sitePageId,
    site_id: ids.siteId,
    url: text('address'),
    title: text('page'),
    depth: 0,
    round: 0,
  }
  const became = { content_hash: newId(), document_id: ids.documentId, reason: null, fetched_at: null }
  await insert('site_pages', { organization_id, ...page, ...became, status: 'done' })
}

async function seedTables(insert: Insert, ids: Ids, text: Text): Promise<void> {
  const { organizationId: organization_id, knowledgeSpaceId: knowledge_space_id } = ids
  const column = { name: text('column'), type: 'text', samples: [text('sample')], unfit: 0 }
  const common = { organization_id, knowledge_space_id, format: 'csv' as const, size_bytes: 10, warnings: '[]' }
  const table = { ...common, columns: JSON.stringify([column]), heartbeat_at: null, row_count: 1 }
  const ready = { id: ids.tableId, name: text('table'), file_key: `${newId()}.csv` }
  await insert('knowledge_tables', { ...table, ...ready, status: 'ready', error_reason: null, analyzed_at: new Date() })
  const failed = { id: ids.failedTableId, name: text('failed table'), file_key: `${newId()}.csv` }
  await insert('knowledge_tables', { ...table, ...failed, status: 'error', error_reason: 'failed', analyzed_at: null })
  const cells = JSON.stringify([text('cell')])
  await insert('table_rows', { organization_id, table_id: ids.tableId, number: 1, cells, typed: cells })
}

/** A program and an instance without a live server, and a web chat. */
async function seedConnections(insert: Insert, ids: Ids, text: Text, secrets: Secrets): Promise<void> {
  const { organizationId: organization_id, agentId: agent_id, httpId, whatsappId, cloudId, maxId, webchatId } = ids
  const address = `${UNREACHABLE}/${text('path')}`
  const programToken = httpToken({ id: newId(), url: address, keys: newSecret() })
  const instanceToken = greenApiToken({ apiUrl: UNREACHABLE, idInstance: '7103000001', apiToken: text('token') })
  const number = { phoneNumberId: '1234567890', accountId: '1234567891' }
  const cloudAccess = cloudToken({ ...number, accessToken: text('token'), verifyToken: text('verify token') })
  for (const [id, channel, token, webhookSecret] of [
    [httpId, 'http', programToken, newSecret()],
    [whatsappId, 'whatsapp', instanceToken, text('webhook secret')],
    [cloudId, 'whatsappCloud', cloudAccess, text('webhook secret')],
    [maxId, 'max', text('token'), text('webhook secret')],
    [webchatId, 'webchat', text('key'), text('webhook secret')],
  ] as const) {
    await insert('channel_connections', {
      id,
      organization_id,
      agent_id,
      channel,
      identifier: text(channel),
      external_account_id: newId(),
      address: channel === 'http' ? address : null,
      status: 'connected',
      delivery: 'webhook',
      webhook_path: newId(),
      webhook_secret: secrets.encrypt(webhookSecret, `channel_connections|${id}|webhook_secret`),
      token: secrets.encrypt(token, `channel_connections|${id}|token`),
      token_tail: 'AAAA',
      poll_offset: null,
      account_state: null,
      account_state_at: null,
      last_error: text('error'),
      last_heartbeat_at: null,
      last_inbound_at: null,
      linked_at: new Date(),
      disconnected_at: null,
      widget: channel === 'webchat' ? JSON.stringify(widgetSettings(text)) : null,
    })
  }
  const attempt = { organization_id, connection_id: httpId, outbox_id: null, attempt: 1, latency_ms: 1 }
  const end = { outcome: 'failed' as const, http_status: 500, reason: text('reason') }
  await insert('delivery_attempts', { id: newId(), ...attempt, ...end })
  const receipt = { connection_id: httpId, external_message_id: newId(), state: 'failed' as const }
  await insert('early_receipts', { organization_id, ...receipt, reason: text('receipt'), received_at: new Date() })
  await seedVisitors(insert, ids, text)
}

async function seedConversation(insert: Insert, ids: Ids, text: Text, secrets: Secrets): Promise<void> {
  const { organizationId: organization_id, agentId: agent_id, connectionId: connection_id } = ids
  const { conversationId: conversation_id } = ids
  const place = (column: string) => `channel_connections|${connection_id}|${column}`
  await insert('channel_connections', {
    id: connection_id,
    organization_id,
    agent_id,
    channel: 'telegram',
    identifier: text('bot'),
    external_account_id: newId(),
    settings: JSON.stringify({ welcomeText: text('welcome') }),
    status: 'connected',
    delivery: 'webhook',
    webhook_path: newId(),
    webhook_secret: secrets.encrypt(text('webhook secret'), place('webhook_secret')),
    token: secrets.encrypt('123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', place('token')),
    token_tail: 'AAAA',
    poll_offset: null,
    account_state: null,
    account_state_at: null,
    last_error: text('error'),
    last_heartbeat_at: null,
    last_inbound_at: null,
    disconnected_at: null,
  })
  const customer_id = ids.customerId
  await insert('customers', {
    id: customer_id,
    organization_id,
    connection_id,
    external_id: '77',
    name: text('customer'),
    username: text('username'),
    language: 'ru',
  })
  await insert('customer_identities', { organization_id, connection_id, customer_id, external_id: text('identity') })
  await insert('conversations', {
    id: conversation_id,
    organization_id,
    agent_id,
    channel: 'telegram',
    connection_id,
    customer_id,
    test_user_id: null,
    external_chat_id: '77',
    thread_id: ids.threadId,
    status: 'active',
    resume_at: null,
    message_count: 1,
    unread_count: 1,
    last_message_author: 'agent',
    last_message_text: text('last message'),
  })
  await insert('conversation_tags', { organization_id, conversation_id, tag: text('tag') })
  const message_id = ids.messageId
  await insert('messages', {
    id: message_id,
    organization_id,
    conversation_id,
    author: 'agent',
    user_id: null,
    text: text('message'),
    status: 'complete',
    reason: null,
    turn_id: null,
    sources: JSON.stringify([]),
    model: null,
    input_tokens: null,
    output_tokens: null,
    cost_micro_usd: null,
    price_version: null,
    latency_ms: null,
    first_token_ms: null,
  })
  await insert('attachments', {
    id: newId('attachments'),
    organization_id,
    conversation_id,
    message_id,
    position: 0,
    kind: 'document',
    external_file_id: text('file id'),
    name: text('file name'),
    status: 'ready',
    text: text('file text'),
  })
  await seedDesk(insert, ids, text)
  const turn = { organization_id, conversation_id, owner: null, lease_until: null, outcome: text('outcome') }
  await insert('turns', {
    ...turn,
    id: ids.turnId,
    status: 'done',
    attempts: '[]',
    started_at: null,
    finished_at: null,
  })
  const expected = JSON.stringify([{ sourceId: ids.documentId, source: text('source'), excerpt: text('excerpt') }])
  const knowledge_space_id = ids.knowledgeSpaceId
  await insert('knowledge_cases', {
    id: ids.caseId,
    organization_id,
    knowledge_space_id,
    question: text('asked'),
    expected,
  })
  const side = JSON.stringify({ name: text('side'), text: text('sentence') })
  await insert('knowledge_pairs', {
    id: ids.pairId,
    organization_id,
    knowledge_space_id,
    kind: 'duplicate',
    key: text('pair'),
    first_chunk_id: ids.chunkId,
    second_chunk_id: ids.chunkId,
    first: side,
    second: side,
    conversations: 0,
  })
  await insert('knowledge_proposals', {
    id: ids.proposalId,
    organization_id,
    knowledge_space_id,
    conversation_id,
    message_id,
    state: 'waiting',
    same_as: null,
    question: text('proposed question'),
    answer: text('proposed answer'),
    alike: null,
    undo: null,
  })
  const found = JSON.stringify([{ chunkId: newId(), documentId: newId(), source: text('source'), page: 1, score: 1 }])
  await insert('knowledge_queries', {
    organization_id,
    conversation_id,
    turn_id: ids.turnId,
    position: 0,
    channel: 'telegram',
    space_ids: JSON.stringify([ids.knowledgeSpaceId]),
    query: text('question'),
    gist: text('gist'),
    is_weak: true,
    found,
    has_found_little: true,
  })
  const trace = JSON.stringify({ outcome: text('trace') })
  await insert('turn_traces', { turn_id: ids.turnId, organization_id, conversation_id, trace })
  await insert('outbox', {
    id: ids.outboxId,
    organization_id,
    connection_id,
    conversation_id,
    message_id,
    part: 0,
    external_chat_id: '77',
    text: text('part'),
    status: 'unknown',
    owner: null,
    lease_until: null,
    external_message_id: null,
    error: text('delivery error'),
  })
  const payload = JSON.stringify({ chat: { id: 77 }, text: text('payload') })
  const inbound = { id: newId(), organization_id, connection_id, external_key: '1', payload, message_id: null }
  await insert('inbound_events', { ...inbound, status: 'stored' })
  const reroute = { conversation_id, connection_id, to_connection_id: ids.whatsappId, external_chat_id: text('chat') }
  await insert('failover_notices', { id: newId(), organization_id, ...reroute, frozen_since: new Date() })
  const event = { id: newId(), organization_id, kind: 'slug_fallback', data: JSON.stringify({ slug: text('slug') }) }
  await insert('analytics_events', event)
  await insert('quotas', { organization_id, period: text('period') })
  await insert('quota_reservations', {
    id: newId(),
    organization_id,
    period: text('held period'),
    expires_at: new Date('2100-01-01'),
  })
  await insert('usage_months', { organization_id, month: '2026-01', agent_id: ids.agentId, shard: 0, messages: 7 })
}
