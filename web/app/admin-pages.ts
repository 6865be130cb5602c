// The pages of the administration, by their addresses under /admin, in the order of the tabs.
import i18next from 'i18next'
import type { ComponentType } from 'react'
import type { Crumb } from '#web/components/ui/breadcrumb.tsx'
import type { AdminTab } from '#web/features/admin/admin-tabs.ts'
import type { TextNamespace } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import type { CrumbHandle } from './layout/crumbs.ts'
import { screen } from './screen.tsx'

export const ADMIN_PAGES = {
  overview: tab('overview', async () => (await import('#web/features/admin/overview/overview-page.tsx')).OverviewPage),
  organizations: tab(
    'organizations',
    async () => (await import('#web/features/admin/organizations/organizations-page.tsx')).OrganizationsPage,
  ),
  'organizations/:organizationId': page(
    async () => (await import('#web/features/admin/organizations/organization-page.tsx')).AdminOrganizationPage,
    ['channels', 'conversations'],
    () => [
      { label: tabName('organizations'), to: paths.adminPage('organizations') },
      { label: i18next.t(($) => $.organizations.columns.organization, { ns: 'admin' }) },
    ],
  ),
  members: tab('members', async () => (await import('#web/features/admin/members/members-page.tsx')).AdminMembersPage),
  invitations: tab(
    'invitations',
    async () => (await import('#web/features/admin/invites/invites-page.tsx')).AdminInvitesPage,
  ),
  plans: tab('plans', async () => (await import('#web/features/admin/plans/plans-page.tsx')).AdminPlansPage, 'plan'),
  models: tab('models', async () => (await import('#web/features/admin/models/models-page.tsx')).ModelsPage),
  flags: tab('flags', async () => (await import('#web/features/admin/flags/flags-page.tsx')).FlagsPage),
  template: tab('template', async () => (await import('#web/features/admin/template/template-page.tsx')).TemplatePage),
  branding: tab(
    'branding',
    async () => (await import('#web/features/admin/branding/branding-page.tsx')).AdminBrandingPage,
    'branding',
  ),
  audit: tab(
    'audit',
    async () => (await import('#web/features/admin/audit/admin-audit-page.tsx')).AdminAuditPage,
    'audit',
  ),
  health: tab('health', async () => (await import('#web/features/admin/health/health-page.tsx')).HealthPage),
}

export type AdminPath = keyof typeof ADMIN_PAGES

/** The page of a tab. */
function tab(name: AdminTab, load: () => Promise<ComponentType>, ...texts: TextNamespace[]) {
  return page(load, texts, () => [{ label: tabName(name) }])
}

/** `trail`: its place below the administration, in the language on screen. */
function page(load: () => Promise<ComponentType>, texts: TextNamespace[], trail: () => Crumb[]) {
  return async () => ({
    ...(await screen(load, 'admin', ...texts)()),
    handle: { section: 'admin', trail } satisfies CrumbHandle,
  })
}

function tabName(name: AdminTab): string {
  return i18next.t(($) => $.tabs[name], { ns: 'admin' })
}
