// Every route. Screens are loaded when first visited, together with their texts.
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { renameAddressParams } from '#web/lib/earlier-address.ts'
import { paths } from '#web/lib/paths.ts'
import { takeAddressSecrets } from '#web/lib/sign-in/address-secrets.ts'
import { takeAskedOrganization } from '#web/lib/sign-in/workplace.ts'
import { adminRoute } from './admin-routes.tsx'
import { channelRoutes } from './channel-routes.tsx'
import { GuestGuard } from './guest-guard.tsx'
import { knowledgeRoutes } from './knowledge-routes.ts'
import type { CrumbHandle } from './layout/crumbs.ts'
import { ShellSkeleton } from './layout/shell-skeleton.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { HomePage, withPermission } from './role-guard.tsx'
import { RouteError } from './route-error.tsx'
import { screen } from './screen.tsx'
import { SessionGuard } from './session-guard.tsx'
import { settingsRoutes } from './settings-routes.tsx'

const guestRoutes: RouteObject[] = [
  { path: '/auth', element: <Navigate to={paths.signIn} replace /> },
  {
    path: '/signin',
    lazy: screen(async () => (await import('#web/features/auth/sign-in-page.tsx')).SignInPage, 'auth'),
  },
  {
    path: '/signup',
    lazy: screen(async () => (await import('#web/features/auth/sign-up-page.tsx')).SignUpPage, 'auth'),
  },
]

/** Pages that a letter opens, signed in or not: a link must not be lost because of a session. */
const letterRoutes: RouteObject[] = [
  {
    path: '/forgot',
    lazy: screen(async () => (await import('#web/features/auth/forgot-page.tsx')).ForgotPage, 'auth'),
  },
  {
    path: '/reset',
    lazy: screen(async () => (await import('#web/features/auth/reset-page.tsx')).ResetPage, 'auth'),
  },
  {
    path: '/verify-email',
    lazy: screen(async () => (await import('#web/features/auth/verify-email-page.tsx')).VerifyEmailPage, 'auth'),
  },
]

/** Open to anyone with the link, signed in or not. */
const sharedChatRoute: RouteObject = {
  path: paths.sharedChat,
  lazy: screen(
    async () => (await import('#web/features/test-chat/shared-chat-page.tsx')).SharedChatPage,
    'test-chat',
    'conversations',
  ),
}

/** Open to everyone who has the link, signed in or not. */
const inviteRoute: RouteObject = {
  path: paths.invite,
  lazy: screen(async () => (await import('#web/features/auth/invite/invite-page.tsx')).InvitePage, 'auth'),
}

const agentRoutes: RouteObject[] = [
  { index: true, element: <HomePage /> },
  {
    path: '/agents',
    handle: { section: 'agents' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/agents/agent-list-page.tsx')).AgentListPage, 'agents'),
  },
  {
    path: '/agents/:slug/settings',
    handle: { section: 'agents', entity: 'agent', leaf: 'settings' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/agents/agent-settings-page.tsx')).AgentSettingsPage,
      'agents',
      'versions',
      'prompt-generator',
    ),
  },
  {
    path: '/agents/:slug/functions',
    handle: { section: 'agents', entity: 'agent', leaf: 'functions' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/agents/functions/functions-page.tsx')).FunctionsPage,
      'tools',
      'why',
    ),
  },
  withPermission('agents.test', [
    {
      path: '/agents/:slug/attacks',
      handle: { section: 'agents', entity: 'agent', leaf: 'attacks' } satisfies CrumbHandle,
      lazy: screen(
        async () => (await import('#web/features/agents/attacks/attacks-page.tsx')).AttacksPage,
        'attacks',
        'conversations',
      ),
    },
    {
      path: '/agents/:slug/test',
      handle: { section: 'agents', entity: 'agent', leaf: 'test' } satisfies CrumbHandle,
      lazy: screen(
        async () => (await import('#web/features/test-chat/agent-test-page.tsx')).AgentTestPage,
        'test-chat',
        'conversations',
        'why',
        'versions',
        'help',
      ),
    },
  ]),
  withPermission('agents.test', [
    {
      path: '/test',
      handle: { section: 'test' } satisfies CrumbHandle,
      lazy: screen(async () => (await import('#web/features/test-chat/test-page.tsx')).TestPage, 'test-chat'),
    },
  ]),
]

const helpRoutes: RouteObject[] = [
  ...[paths.helpModelOverrides, paths.helpDiagnostics, paths.helpRuntimeControls].map((path) =>
    helpRoute(path, 'test'),
  ),
  helpRoute(paths.helpRetrievalContext, 'knowledge'),
  helpRoute(paths.helpAutomations, 'agents'),
]

const conversationRoutes: RouteObject[] = [
  {
    path: '/chats',
    handle: { section: 'chats' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/conversations/chats-page.tsx')).ChatsPage,
      'conversations',
      'exports',
      'why',
    ),
  },
  {
    path: '/chats/approvals',
    handle: { section: 'chats' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/conversations/approvals/approvals-page.tsx')).ApprovalsPage,
      'conversations',
      'why',
    ),
  },
  {
    path: '/conversations/:conversationId',
    handle: { section: 'chats', entity: 'conversation' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/conversations/conversation-page.tsx')).ConversationPage,
      'conversations',
      'exports',
      'why',
    ),
  },
]

const analyticsRoute = withPermission('analytics.read', [
  {
    path: '/analytics',
    handle: { section: 'analytics' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/analytics/analytics-page.tsx')).AnalyticsPage, 'analytics'),
  },
])

const integrationRoutes: RouteObject[] = [
  {
    path: paths.integrations,
    handle: { section: 'integrations' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/integrations/integrations-page.tsx')).IntegrationsPage,
      'integrations',
    ),
  },
  {
    path: paths.calendarSetup(),
    handle: { section: 'integrations', leaf: 'googleCalendar' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/integrations/calendar/calendar-setup-page.tsx')).CalendarSetupPage,
      'integrations',
      'agents',
    ),
  },
]

const protectedRoutes = [
  ...agentRoutes,
  ...knowledgeRoutes,
  ...channelRoutes,
  ...conversationRoutes,
  analyticsRoute,
  ...integrationRoutes,
  ...helpRoutes,
  ...settingsRoutes,
  adminRoute,
]

/** The data router of the whole client. It is the first to read the address; secrets have been removed from it before. */
export function createRouter() {
  takeAddressSecrets()
  takeAskedOrganization()
  renameAddressParams()
  return createBrowserRouter([
    {
      errorElement: <RouteError />,
      hydrateFallbackElement: <ShellSkeleton />,
      children: [
        { element: <GuestGuard />, children: guestRoutes },
        ...letterRoutes,
        sharedChatRoute,
        inviteRoute,
        { path: '/', element: <SessionGuard />, children: [frame(protectedRoutes)] },
      ],
    },
  ])
}

/** The frame around the screens. The extra level inside it keeps the frame on screen when a screen fails. */
function frame(screens: RouteObject[]): RouteObject {
  return {
    lazy: async () => ({ Component: (await import('./layout/app-layout.tsx')).AppLayout }),
    children: [
      { errorElement: <RouteError isInline />, children: screens },
      { path: '*', element: <NotFoundPage /> },
    ],
  }
}

/** A help page, opened as the section that it belongs to. */
function helpRoute(path: string, section: CrumbHandle['section']): RouteObject {
  return {
    path,
    handle: { section } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/help/help-page.tsx')).HelpPage, 'help'),
  }
}
