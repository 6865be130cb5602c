// Identifiers of stored things: 32 lower-case letters and digits, so that the shape distinguishes an id from a slug (which may hold
// hyphens).
import type { GenericId } from 'convex/values'

/** The tables whose rows have a public id. The name is only a brand for the type checker. */
export type IdTable =
  | 'users'
  | 'sessions'
  | 'organizations'
  | 'agents'
  | 'agentVersions'
  | 'knowledgeSpaces'
  | 'documents'
  | 'fragments'
  | 'tables'
  | 'sites'
  | 'sitePages'
  | 'chunks'
  | 'bookings'
  | 'bookingSlots'
  | 'calendarConnections'
  | 'channelConnections'
  | 'customers'
  | 'conversations'
  | 'threads'
  | 'messages'
  | 'conversationNotes'
  | 'cannedReplies'
  | 'inboxViews'
  | 'attachments'
  | 'exports'
  | 'removals'
  | 'turns'
  | 'outbox'
  | 'apiTokens'
  | 'invites'
  | 'supportAccesses'
  | 'planRequests'
  | 'alerts'
  | 'knowledgeCases'
  | 'knowledgeProposals'
  | 'knowledgePairs'
  | 'auditEntries'
  | 'modelPrices'
  | 'httpTools'
  | 'mcpServers'
  | 'mcpTools'
  | 'toolSecrets'
  | 'toolApprovals'
  | 'attackChecks'
  | 'webhookEndpoints'
  | 'webhookEvents'
  | 'webhookDeliveries'

/** Id of a row of one table: `Id<'agents'>`. A plain string is not assignable to it. */
export type Id<Table extends IdTable> = GenericId<Table>

/** An agent identifier in a URL is an id when it has 24 to 32 letters or digits, otherwise a slug. */
export function isAgentId(identifier: string): identifier is Id<'agents'> {
  return /^[a-zA-Z0-9]{24,32}$/.test(identifier)
}

/** Whether an identifier in a URL has the shape of a person's id. */
export function isUserId(identifier: string): identifier is Id<'users'> {
  return /^[a-z0-9]{32}$/.test(identifier)
}

/** A space identifier in a URL is an id when it has 25 or more lower-case letters or digits and no hyphen. */
export function isKnowledgeSpaceId(identifier: string): identifier is Id<'knowledgeSpaces'> {
  return /^[a-z0-9]{25,}$/.test(identifier)
}
