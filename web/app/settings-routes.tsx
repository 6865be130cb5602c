// The routes of the settings: a page for each tab.
import { Navigate, type RouteObject } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import type { CrumbHandle } from './layout/crumbs.ts'
import { withPermission } from './role-guard.tsx'
import { screen } from './screen.tsx'

/** In the order of the tabs. */
export const settingsRoutes: RouteObject[] = [
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
      'security',
    ),
  },
  {
    path: '/settings/plan',
    handle: { section: 'settings', leaf: 'plan' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/settings/plan/plan-page.tsx')).PlanPage, 'settings', 'plan'),
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
    path: '/settings/tools',
    handle: { section: 'settings', leaf: 'tools' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/settings/tools/tools-page.tsx')).ToolsPage,
      'settings',
      'tools',
    ),
  },
  {
    path: '/settings/tools/:toolId',
    handle: { section: 'settings', leaf: 'tools' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/settings/tools/tool-page.tsx')).ToolPage, 'tools', 'why'),
  },
  {
    path: '/settings/mcp-servers/new',
    handle: { section: 'settings', leaf: 'tools' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/settings/mcp-servers/new-server-page.tsx')).NewServerPage,
      'tools',
    ),
  },
  {
    path: '/settings/mcp-servers/:serverId',
    handle: { section: 'settings', leaf: 'tools' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/settings/mcp-servers/server-page.tsx')).ServerPage,
      'tools',
      'why',
    ),
  },
  withPermission('data.write', [
    {
      path: '/settings/data',
      handle: { section: 'settings', leaf: 'data' } satisfies CrumbHandle,
      lazy: screen(
        async () => (await import('#web/features/settings/data/data-page.tsx')).DataPage,
        'settings',
        'exports',
      ),
    },
  ]),
  {
    path: '/settings/security',
    handle: { section: 'settings', leaf: 'security' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/settings/account/security-page.tsx')).SecurityPage,
      'settings',
      'security',
    ),
  },
  withPermission('apiTokens.write', [
    {
      path: '/settings/api',
      handle: { section: 'settings', leaf: 'api' } satisfies CrumbHandle,
      lazy: screen(async () => (await import('#web/features/settings/api/api-page.tsx')).ApiPage, 'settings'),
    },
    {
      path: '/settings/webhooks',
      handle: { section: 'settings', leaf: 'webhooks' } satisfies CrumbHandle,
      lazy: screen(
        async () => (await import('#web/features/settings/webhooks/webhooks-page.tsx')).WebhooksPage,
        'settings',
        'webhooks',
      ),
    },
  ]),
  withPermission('organization.write', [
    {
      path: '/settings/branding',
      handle: { section: 'settings', leaf: 'branding' } satisfies CrumbHandle,
      lazy: screen(
        async () => (await import('#web/features/settings/branding/branding-page.tsx')).BrandingPage,
        'settings',
        'branding',
      ),
    },
    {
      path: '/settings/audit',
      handle: { section: 'settings', leaf: 'audit' } satisfies CrumbHandle,
      lazy: screen(
        async () => (await import('#web/features/settings/audit/audit-page.tsx')).AuditPage,
        'settings',
        'audit',
      ),
    },
  ]),
]
