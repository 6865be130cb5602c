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

const screens = import.meta.glob<Record<string, ComponentType>>('../features/*/*-page.tsx')

const guestRoutes: RouteObject[] = [
  { path: '/auth', element: <Navigate to={paths.signIn} replace /> },
  screen('/signin', 'auth/sign-in-page', 'SignInPage', ['auth']),
  screen('/signup', 'auth/sign-up-page', 'SignUpPage', ['auth']),
]

const settingsRoutes: RouteObject[] = [
  { path: '/settings', element: <Navigate to={paths.profile} replace /> },
  screen('/settings/profile', 'settings/profile-page', 'ProfilePage', ['settings'], {
    section: 'settings',
    leaf: 'profile',
  }),
  screen('/settings/security', 'settings/security-page', 'SecurityPage', ['settings'], {
    section: 'settings',
    leaf: 'security',
  }),
]

const protectedRoutes: RouteObject[] = [
  { index: true, element: <Navigate to={paths.home} replace /> },
  screen('/agents', 'agents/agent-list-page', 'AgentListPage', ['agents'], { section: 'agents' }),
  screen('/agents/:slug/settings', 'agents/agent-settings-page', 'AgentSettingsPage', ['agents'], {
    section: 'agents',
    entity: 'agent',
    leaf: 'settings',
  }),
  screen('/agents/:slug/test', 'test-chat/agent-test-page', 'AgentTestPage', ['test-chat', 'conversations'], {
    section: 'agents',
    entity: 'agent',
    leaf: 'test',
  }),
  screen('/test', 'test-chat/test-page', 'TestPage', ['test-chat'], { section: 'test' }),
  screen('/knowledge', 'knowledge/knowledge-page', 'KnowledgePage', ['knowledge'], { section: 'knowledge' }),
  screen('/knowledge/space/:slug', 'knowledge/space-page', 'SpacePage', ['knowledge', 'conversations'], {
    section: 'knowledge',
    entity: 'space',
  }),
  screen('/channels', 'channels/channels-page', 'ChannelsPage', ['channels'], { section: 'channels' }),
  screen('/channels/telegram', 'channels/telegram-page', 'TelegramPage', ['channels'], {
    section: 'channels',
    channel: 'telegram',
  }),
  screen('/channels/telegram/setup', 'channels/telegram-setup-page', 'TelegramSetupPage', ['channels'], {
    section: 'channels',
    channel: 'telegram',
    leaf: 'setup',
  }),
  screen(
    '/channels/telegram/:connectionId',
    'channels/telegram-connection-page',
    'TelegramConnectionPage',
    ['channels'],
    {
      section: 'channels',
      channel: 'telegram',
      entity: 'connection',
    },
  ),
  screen('/chats', 'conversations/chats-page', 'ChatsPage', ['conversations'], { section: 'chats' }),
  screen('/conversations/:conversationId', 'conversations/conversation-page', 'ConversationPage', ['conversations'], {
    section: 'chats',
    entity: 'conversation',
  }),
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

function screen(path: string, file: string, name: string, texts: TextNamespace[], handle?: CrumbHandle): RouteObject {
  return {
    path,
    handle,
    lazy: async () => {
      const load = screens[`../features/${file}.tsx`]
      if (!load) return { Component: NotFoundPage }
      const [module] = await Promise.all([load(), loadTexts(...texts)])
      return { Component: module[name] ?? NotFoundPage }
    },
  }
}
