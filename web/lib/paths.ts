// Every URL of the product. Routes and links are both made from here.
import { CHANNELS, type ConnectedChannel } from '#shared/channels/manifests.ts'
import { withoutSecrets } from './sign-in/address-secrets.ts'

const part = encodeURIComponent

export const paths = {
  home: '/',
  signIn: '/signin',
  signUp: '/signup',
  /** Where the link of an invitation leads; its secret is taken out of the address at once. */
  invite: '/invite',
  forgot: '/forgot',
  agents: '/agents',
  /** The list with its create dialog open. */
  newAgent: '/agents?create=true',
  agentSettings: (slug: string) => `/agents/${part(slug)}/settings`,
  agentTest: (slug: string) => `/agents/${part(slug)}/test`,
  agentFunctions: (slug: string) => `/agents/${part(slug)}/functions`,
  /** Attack checks of the agent. */
  agentAttacks: (slug: string) => `/agents/${part(slug)}/attacks`,
  test: '/test',
  /** A shared test chat; its ticket stands behind the #, which no server gets to see. */
  sharedChat: '/shared-chat',
  helpModelOverrides: '/test-chat/model-overrides',
  helpDiagnostics: '/test-chat/diagnostics',
  helpRetrievalContext: '/knowledge/retrieval-context',
  helpRuntimeControls: '/test-chat/runtime-controls',
  helpAutomations: '/roadmap/automations',
  knowledge: '/knowledge',
  /** The page of one part of a space; which space is in its query. */
  knowledgePart: (name: string) => `/knowledge/${part(name)}`,
  space: (slug: string) => `/knowledge/space/${part(slug)}`,
  channels: '/channels',
  /** The connections of one channel. */
  channel: (channel: ConnectedChannel) => `/channels/${CHANNELS[channel].path}`,
  channelSetup: (channel: ConnectedChannel) => `/channels/${CHANNELS[channel].path}/setup`,
  channelConnection: (channel: ConnectedChannel, connectionId: string) =>
    `/channels/${CHANNELS[channel].path}/${part(connectionId)}`,
  whatsappProof: '/channels/whatsapp/production-test',
  chats: '/chats',
  /** Calls of tools that wait for the team to agree. */
  approvals: '/chats/approvals',
  conversation: (conversationId: string) => `/conversations/${part(conversationId)}`,
  /** The conversation, open at one message. */
  message: (conversationId: string, messageId: string) =>
    `/conversations/${part(conversationId)}?message=${part(messageId)}`,
  integrations: '/integrations',
  /** The calendar of an agent; the first one without a slug. */
  calendarSetup: (slug: string | null = null) =>
    `/integrations/google_calendar/setup${slug === null ? '' : `?agentSlug=${part(slug)}`}`,
  analytics: '/analytics',
  admin: '/admin',
  /** Where those are led who may not open the administration; the reason is shown there. */
  adminRefused: '/agents?reason=admin_required',
  adminPage: (page: string) => `/admin/${part(page)}`,
  settings: '/settings',
  profile: '/settings/profile',
  security: '/settings/security',
  organization: '/settings/organization',
  organizationSpend: '/settings/organization#spending',
  plan: '/settings/plan',
  team: '/settings/team',
  replies: '/settings/replies',
  data: '/settings/data',
  notifications: '/settings/notifications',
  api: '/settings/api',
  webhooks: '/settings/webhooks',
  audit: '/settings/audit',
  tools: '/settings/tools',
  /** One tool, or `new`. */
  tool: (toolId: string) => `/settings/tools/${part(toolId)}`,
  /** One MCP server, or `new`. */
  mcpServer: (serverId: string) => `/settings/mcp-servers/${part(serverId)}`,
  branding: '/settings/branding',
} as const

/** The sign-in page, which returns to `from` (a path with its query) afterwards, without secrets that stand in it. */
export function signInPath(from: string): string {
  const target = withoutSecrets(from)
  return target === paths.home ? paths.signIn : `${paths.signIn}?from=${part(target)}`
}

/** A path of this site, safe to go to after sign-in and without secrets; anything else becomes the home page. */
export function safeReturnPath(from: string | null): string {
  const isSafe = from && /^\/(?![/\\])/.test(from) && !from.startsWith(paths.signIn)
  return isSafe ? withoutSecrets(from) : paths.home
}
