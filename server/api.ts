// DOOR 1: every public function, by the name it has on the wire.
import type { ApiOf } from '#server/functions/api-types.ts'
import * as agentFunctions from './features/agents/agent-functions.functions.ts'
import * as agents from './features/agents/agents.functions.ts'
import * as agentKeys from './features/agents/keys.functions.ts'
import * as models from './features/agents/models.functions.ts'
import * as prompts from './features/agents/prompts.functions.ts'
import * as versions from './features/agents/versions.functions.ts'
import * as alerts from './features/alerts/alerts.functions.ts'
import * as analytics from './features/analytics/analytics.functions.ts'
import * as apiTokens from './features/api/tokens.functions.ts'
import * as billing from './features/billing/billing.functions.ts'
import * as channelConnections from './features/channels/channel-connections.functions.ts'
import * as http from './features/channels/http.functions.ts'
import * as messengers from './features/channels/messengers.functions.ts'
import * as standIns from './features/channels/stand-ins.functions.ts'
import * as telegram from './features/channels/telegram.functions.ts'
import * as webchat from './features/channels/webchat.functions.ts'
import * as whatsapp from './features/channels/whatsapp.functions.ts'
import * as whatsappCloud from './features/channels/whatsapp-cloud.functions.ts'
import * as conversationsBulk from './features/conversations/bulk.functions.ts'
import * as cannedReplies from './features/conversations/canned.functions.ts'
import * as contacts from './features/conversations/contacts.functions.ts'
import * as conversations from './features/conversations/conversations.functions.ts'
import * as answerDrafts from './features/conversations/drafts.functions.ts'
import * as conversationExports from './features/conversations/exports.functions.ts'
import * as notes from './features/conversations/notes.functions.ts'
import * as presence from './features/conversations/presence.functions.ts'
import * as retention from './features/conversations/retention.functions.ts'
import * as templates from './features/conversations/templates.functions.ts'
import * as threads from './features/conversations/threads.functions.ts'
import * as views from './features/conversations/views.functions.ts'
import * as cases from './features/knowledge/cases.functions.ts'
import * as chunks from './features/knowledge/chunks.functions.ts'
import * as documents from './features/knowledge/documents.functions.ts'
import * as embeddings from './features/knowledge/embeddings.functions.ts'
import * as fragments from './features/knowledge/fragments.functions.ts'
import * as marks from './features/knowledge/marks.functions.ts'
import * as passages from './features/knowledge/passages.functions.ts'
import * as proposals from './features/knowledge/proposals.functions.ts'
import * as queries from './features/knowledge/queries.functions.ts'
import * as questions from './features/knowledge/questions.functions.ts'
import * as review from './features/knowledge/review.functions.ts'
import * as search from './features/knowledge/search.functions.ts'
import * as sites from './features/knowledge/sites.functions.ts'
import * as spaces from './features/knowledge/spaces.functions.ts'
import * as tables from './features/knowledge/tables.functions.ts'
import * as webSearch from './features/knowledge/web-search.functions.ts'
import * as operators from './features/organizations/operators.functions.ts'
import * as organizations from './features/organizations/organizations.functions.ts'
import * as users from './features/users/users.functions.ts'
import * as agentSearch from './pipeline/agent-search.functions.ts'
import * as agentTables from './pipeline/agent-tables.functions.ts'
import * as helper from './pipeline/helper.functions.ts'
import * as testChat from './pipeline/test-chat.functions.ts'

/** Module name → module: `agents:list` is `export const list` of the module `agents`. */
export const modules = {
  agentFunctions,
  agents,
  'agents/prompts': prompts,
  'agents/versions': versions,
  'agents/keys': agentKeys,
  'agents/search': agentSearch,
  'agents/tables': agentTables,
  alerts,
  analytics,
  apiTokens,
  billing,
  channelConnections,
  'channels/http': http,
  'channels/messengers': messengers,
  'channels/standIns': standIns,
  'channels/telegram': telegram,
  'channels/whatsapp': whatsapp,
  'channels/whatsappCloud': whatsappCloud,
  'channels/webchat': webchat,
  conversations,
  'conversations/canned': cannedReplies,
  'conversations/contacts': contacts,
  'conversations/templates': templates,
  'conversations/threads': threads,
  'conversations/drafts': answerDrafts,
  'conversations/exports': conversationExports,
  'conversations/helper': helper,
  'conversations/notes': notes,
  'conversations/presence': presence,
  'conversations/bulk': conversationsBulk,
  'conversations/views': views,
  'conversations/retention': retention,
  'knowledge/chunks': chunks,
  'knowledge/cases': cases,
  'knowledge/documents': documents,
  'knowledge/embeddings': embeddings,
  'knowledge/fragments': fragments,
  'knowledge/proposals': proposals,
  'knowledge/marks': marks,
  'knowledge/queries': queries,
  'knowledge/passages': passages,
  'knowledge/questions': questions,
  'knowledge/review': review,
  'knowledge/search': search,
  'knowledge/sites': sites,
  'knowledge/spaces': spaces,
  'knowledge/tables': tables,
  'knowledge/webSearch': webSearch,
  models,
  organizations,
  'organizations/operators': operators,
  testChat,
  users,
} as const

/** What the web client calls, with arguments and results. */
export type Api = ApiOf<typeof modules>
