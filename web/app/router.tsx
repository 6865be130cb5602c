// Every route. Screens are loaded when first visited, together with their texts.
import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { loadTexts, type TextNamespace } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { GuestGuard } from './guest-guard.tsx'
import type { CrumbHandle } from './layout/crumbs.ts'
import { ShellSkeleton } from './layout/shell-skeleton.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { RouteError } from './route-error.tsx'
import { SessionGuard } from './session-guard.tsx'

const guestRoutes: RouteObject[] = [
  { path: '/auth', element: <Navigate to={paths.signIn} replace /> },
  screen('/signin', async () => (await import('#web/features/auth/sign-in-page.tsx')).SignInPage, ['auth']),
  screen('/signup', async () => (await import('#web/features/auth/sign-up-page.tsx')).SignUpPage, ['auth']),
]

const settingsRoutes: RouteObject[] = [
  { path: '/settings', element: <Navigate to={paths.profile} replace /> },
  screen(
    '/settings/profile',
    async () => (await import('#web/features/settings/profile-page.tsx')).ProfilePage,
    ['settings'],
    {
      section: 'settings',
      leaf: 'profile',
    },
  ),
  screen(
    '/settings/security',
    async () => (await import('#web/features/settings/security-page.tsx')).SecurityPage,
    ['settings'],
    {
      section: 'settings',
      leaf: 'security',
    },
  ),
]

const protectedRoutes: RouteObject[] = [
  { index: true, element: <Navigate to={paths.home} replace /> },
  screen('/agents', async () => (await import('#web/features/agents/agent-list-page.tsx')).AgentListPage, ['agents'], {
    section: 'agents',
  }),
  screen(
    '/agents/:slug/settings',
    async () => (await import('#web/features/agents/agent-settings-page.tsx')).AgentSettingsPage,
    ['agents'],
    {
      section: 'agents',
      entity: 'agent',
      leaf: 'settings',
    },
  ),
  screen(
    '/agents/:slug/test',
    async () => (await import('#web/features/test-chat/agent-test-page.tsx')).AgentTestPage,
    ['test-chat', 'conversations'],
    {
      section: 'agents',
      entity: 'agent',
      leaf: 'test',
    },
  ),
  screen('/test', async () => (await import('#web/features/test-chat/test-page.tsx')).TestPage, ['test-chat'], {
    section: 'test',
  }),
  screen(
    '/knowledge',
    async () => (await import('#web/features/knowledge/knowledge-page.tsx')).KnowledgePage,
    ['knowledge'],
    { section: 'knowledge' },
  ),
  screen(
    '/knowledge/space/:slug',
    async () => (await import('#web/features/knowledge/space-page.tsx')).SpacePage,
    ['knowledge', 'conversations'],
    {
      section: 'knowledge',
      entity: 'space',
    },
  ),
  screen(
    '/channels',
    async () => (await import('#web/features/channels/channels-page.tsx')).ChannelsPage,
    ['channels'],
    { section: 'channels' },
  ),
  screen(
    '/channels/telegram',
    async () => (await import('#web/features/channels/telegram-page.tsx')).TelegramPage,
    ['channels'],
    {
      section: 'channels',
      channel: 'telegram',
    },
  ),
  screen(
    '/channels/telegram/setup',
    async () => (await import('#web/features/channels/telegram-setup-page.tsx')).TelegramSetupPage,
    ['channels'],
    {
      section: 'channels',
      channel: 'telegram',
      leaf: 'setup',
    },
  ),
  screen(
    '/channels/telegram/:connectionId',
    async () => (await import('#web/features/channels/telegram-connection-page.tsx')).TelegramConnectionPage,
    ['channels'],
    {
      section: 'channels',
      channel: 'telegram',
      entity: 'connection',
    },
  ),
  screen(
    '/chats',
    async () => (await import('#web/features/conversations/chats-page.tsx')).ChatsPage,
    ['conversations'],
    { section: 'chats' },
  ),
  screen(
    '/conversations/:conversationId',
    async () => (await import('#web/features/conversations/conversation-page.tsx')).ConversationPage,
    ['conversations'],
    {
      section: 'chats',
      entity: 'conversation',
    },
  ),
]

/** The data router of the whole client. */
export function createRouter() {
  return createBrowserRouter([
    {
      errorElement: <RouteError />,
      hydrateFallbackElement: <ShellSkeleton />,
      children: [
        { element: <GuestGuard />, children: guestRoutes },
        {
          path: '/',
          element: <SessionGuard />,
          children: [
            {
              lazy: async () => ({ Component: (await import('./layout/app-layout.tsx')).AppLayout }),
              children: [
                // One more level, so that a failing page leaves the frame around it standing.
                { errorElement: <RouteError isInline />, children: [...protectedRoutes, ...settingsRoutes] },
                { path: '*', element: <NotFoundPage /> },
              ],
            },
          ],
        },
      ],
    },
  ])
}

/** A route whose code and texts are loaded together, when it is first visited. */
function screen(
  path: string,
  load: () => Promise<ComponentType>,
  texts: TextNamespace[],
  handle?: CrumbHandle,
): RouteObject {
  return {
    path,
    handle,
    lazy: async () => {
      const [Component] = await Promise.all([load(), loadTexts(...texts)])
      return { Component }
    },
  }
}
