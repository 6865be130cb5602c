// The pages of the administration, in the order of their tabs.

export const ADMIN_TABS = [
  'overview',
  'organizations',
  'members',
  'invitations',
  'plans',
  'models',
  'flags',
  'template',
  'branding',
  'audit',
  'health',
] as const
export type AdminTab = (typeof ADMIN_TABS)[number]
