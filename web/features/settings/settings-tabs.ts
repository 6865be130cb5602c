// The pages of the settings, in the order of their tabs, and who may use them.
import type { Permission } from '#shared/organizations/policy.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { mayAs } from '#web/lib/sign-in/permissions.tsx'

const TABS = [
  'profile',
  'organization',
  'plan',
  'branding',
  'team',
  'replies',
  'tools',
  'notifications',
  'security',
  'api',
  'webhooks',
  'data',
  'audit',
] as const
export type SettingsTab = (typeof TABS)[number]

/** What a tab needs to be of use. */
const NEEDS: Partial<Record<SettingsTab, Permission>> = {
  data: 'data.write',
  api: 'apiTokens.write',
  webhooks: 'apiTokens.write',
  audit: 'organization.write',
  branding: 'organization.write',
}

/** The tabs that are of use to the signed-in member. */
export function useSettingsTabs(): SettingsTab[] {
  const role = useCurrentUser().organizationRole
  return TABS.filter((tab) => NEEDS[tab] === undefined || mayAs(role, NEEDS[tab]))
}
