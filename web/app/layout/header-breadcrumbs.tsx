// The breadcrumbs of the present route, with the names of agents, spaces, customers and bots.

import { ErrorBoundary } from 'react-error-boundary'
import { useMatches, useSearchParams } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { CHANNEL_NAMES, type ConnectedChannel, channelName } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { Breadcrumb } from '#web/components/ui/breadcrumb.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { connectionName } from '#web/lib/server/connections.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useEntityNames } from '#web/lib/server/use-entity.ts'
import { type CrumbHandle, type CrumbNames, crumbsFor } from './crumbs.ts'

/** Nothing on pages that say nothing about themselves, such as an unknown address. */
export function HeaderBreadcrumbs() {
  const names = useCrumbNames()
  const [query] = useSearchParams()
  const match = useMatches().findLast((each) => each.handle)
  if (!match) return null
  const handle = match.handle as CrumbHandle
  if (handle.trail) return <Breadcrumb crumbs={crumbsFor(handle, names, undefined)} />
  // The page itself says what is wrong with a name that cannot be loaded.
  const sectionOnly = <Breadcrumb crumbs={crumbsFor({ section: handle.section }, names, undefined)} />
  const identifier = Object.values(match.params)[0] ?? query.get('spaceSlug') ?? undefined
  return (
    <ErrorBoundary key={`${match.pathname} ${identifier}`} fallback={sectionOnly}>
      <EntityBreadcrumbs handle={handle} identifier={identifier} names={names} />
    </ErrorBoundary>
  )
}

type EntityBreadcrumbsProps = { handle: CrumbHandle; identifier: string | undefined; names: CrumbNames }

function EntityBreadcrumbs({ handle, identifier, names }: EntityBreadcrumbsProps) {
  const { t } = useTranslation()
  const { entity } = handle
  const [query] = useSearchParams()
  const agent = useEntityNames('agent', entity === 'agent' ? identifier : undefined)
  const space = useEntityNames('knowledgeSpace', entity === 'space' ? identifier : undefined)
  const conversation: Conversation | undefined = useQuery(
    api.conversations.get,
    entity === 'conversation' ? { conversationId: identifier as Id<'conversations'> } : 'skip',
  )
  const connections: ChannelConnection[] | undefined = useQuery(
    api.channelConnections.list,
    entity === 'connection' ? {} : 'skip',
  )
  const connection = connections?.find(({ _id }) => _id === identifier)
  const name =
    agent?.name ??
    space?.name ??
    (conversation && (conversation.customer?.name || t(($) => $.crumbs.conversation))) ??
    (connection && connectionName(connection))
  const isMissing = connections !== undefined && !connection
  const named = isMissing ? undefined : { name, slug: agent?.slug ?? identifier ?? '' }
  return <Breadcrumb crumbs={crumbsFor(handle, names, named, query.get('agentSlug'))} />
}

type ChannelTexts = Record<ConnectedChannel, string>

function useCrumbNames(): CrumbNames {
  const { t } = useTranslation()
  return {
    agents: t(($) => $.nav.agents),
    knowledge: t(($) => $.nav.knowledge),
    test: t(($) => $.nav.test),
    chats: t(($) => $.nav.chats),
    channels: t(($) => $.nav.channels),
    analytics: t(($) => $.nav.analytics),
    integrations: t(($) => $.nav.integrations),
    admin: t(($) => $.nav.admin),
    settings: t(($) => $.nav.settings),
    ...(Object.fromEntries(CHANNEL_NAMES.map((each) => [each, channelName(each, currentLanguage())])) as ChannelTexts),
    setup: t(($) => $.crumbs.setup),
    googleCalendar: t(($) => $.crumbs.googleCalendar),
    'production-test': t(($) => $.crumbs['production-test']),
    profile: t(($) => $.crumbs.profile),
    organization: t(($) => $.crumbs.organization),
    security: t(($) => $.crumbs.security),
    plan: t(($) => $.crumbs.plan),
    team: t(($) => $.crumbs.team),
    replies: t(($) => $.crumbs.replies),
    data: t(($) => $.crumbs.data),
    notifications: t(($) => $.crumbs.notifications),
    tools: t(($) => $.crumbs.tools),
    functions: t(($) => $.crumbs.functions),
    attacks: t(($) => $.crumbs.attacks),
    api: t(($) => $.crumbs.api),
    webhooks: t(($) => $.crumbs.webhooks),
    audit: t(($) => $.crumbs.audit),
    branding: t(($) => $.crumbs.branding),
    documents: t(($) => $.crumbs.documents),
    base: t(($) => $.crumbs.base),
    tables: t(($) => $.crumbs.tables),
    'web-search': t(($) => $.crumbs['web-search']),
    'rag-tester': t(($) => $.crumbs['rag-tester']),
  }
}
