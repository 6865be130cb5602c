// Every route. Screens are loaded when first visited, together with their texts.
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { renameAddressParams } from '#web/lib/earlier-address.ts'
import { paths } from '#web/lib/paths.ts'
import { takeAddressSecrets } from '#web/lib/sign-in/address-secrets.ts'
import { channelRoutes } from './channel-routes.tsx'
import { GuestGuard } from './guest-guard.tsx'
import { knowledgeRoutes } from './knowledge-routes.ts'
import type { CrumbHandle } from './layout/crumbs.ts'
import { ShellSkeleton } from './layout/shell-skeleton.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { RouteError } from './route-error.tsx'
import { screen } from './screen.tsx'
import { SessionGuard } from './session-guard.tsx'

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

/** Open to anyone with the link, signed in or not. */
const sharedChatRoute: RouteObject = {
  path: paths.sharedChat,
  lazy: screen(
    async () => (await import('#web/features/test-chat/shared-chat-page.tsx')).SharedChatPage,
    'test-chat',
    'conversations',
  ),
}

const agentRoutes: RouteObject[] = [
  { index: true, element: <Navigate to={paths.home} replace /> },
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
  {
    path: '/test',
    handle: { section: 'test' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/test-chat/test-page.tsx')).TestPage, 'test-chat'),
  },
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

const settingsRoutes: RouteObject[] = [
  { path: '/settings', element: <Navigate to={paths.profile} replace /> },
  {
    path: '/settings/profile',
    handle: { section: 'settings', leaf: 'profile' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/settings/account/profile-page.tsx')).ProfilePage, 'settings'),
  },
  {
    path: '/settings/notifications',
    handle: { section: 'settings', leaf: 'notifications' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/settings/alerts/alerts-page.tsx')).AlertsPage, 'settings'),
  },
  {
    path: '/settings/organization',
    handle: { section: 'settings', leaf: 'organization' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/settings/organization/organization-page.tsx')).OrganizationPage,
      'settings',
    ),
  },
  {
    path: '/settings/team',
    handle: { section: 'settings', leaf: 'team' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/settings/team/team-page.tsx')).TeamPage,
      'settings',
      'agents',
    ),
  },
  {
    path: '/settings/replies',
    handle: { section: 'settings', leaf: 'replies' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/settings/team/replies-page.tsx')).RepliesPage, 'settings'),
  },
  {
    path: '/settings/data',
    handle: { section: 'settings', leaf: 'data' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/settings/data/data-page.tsx')).DataPage,
      'settings',
      'exports',
    ),
  },
  {
    path: '/settings/security',
    handle: { section: 'settings', leaf: 'security' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/settings/account/security-page.tsx')).SecurityPage,
      'settings',
    ),
  },
  {
    path: '/settings/api',
    handle: { section: 'settings', leaf: 'api' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/settings/api/api-page.tsx')).ApiPage, 'settings'),
  },
]

const protectedRoutes = [
  ...agentRoutes,
  ...knowledgeRoutes,
  ...channelRoutes,
  ...conversationRoutes,
  ...helpRoutes,
  ...settingsRoutes,
]

/** The data router of the whole client. It is the first to read the address; secrets have been removed from it before. */
export function createRouter() {
  takeAddressSecrets()
  renameAddressParams()
  return createBrowserRouter([
    {
      errorElement: <RouteError />,
      hydrateFallbackElement: <ShellSkeleton />,
      children: [
        { element: <GuestGuard />, children: guestRoutes },
        sharedChatRoute,
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
