// What a member of an organization may do: five roles, and the permissions of each. Screens and the server read the same table.

/** Roles in an organization, from the most rights to the fewest. An organization has one owner. */
export const ORGANIZATION_ROLES = ['owner', 'admin', 'builder', 'operator', 'analyst'] as const
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number]

/** Roles that an invitation or a change of role can give: ownership is handed over instead. */
export const GRANTED_ROLES = ['admin', 'builder', 'operator', 'analyst'] as const satisfies OrganizationRole[]
export type GrantedRole = (typeof GRANTED_ROLES)[number]

const everybody = ORGANIZATION_ROLES
const admins = ['owner', 'admin'] as const
const builders = ['owner', 'admin', 'builder'] as const
const operators = ['owner', 'admin', 'operator'] as const

/** Which roles have which permission. `read` is what every member sees: agents, knowledge, channels, conversations, usage. */
const ROLES_OF = {
  read: everybody,
  /** What a person keeps for themselves: alerts, views, mentions, their profile. */
  self: everybody,
  /** What agents achieve and cost, in numbers. */
  'analytics.read': ['owner', 'admin', 'builder', 'analyst'],
  'agents.write': builders,
  'agents.test': builders,
  'knowledge.write': builders,
  'channels.write': builders,
  'inbox.write': operators,
  'contacts.write': operators,
  /** Upload a file for an answer to a customer or for a test chat. */
  'files.send': ['owner', 'admin', 'builder', 'operator'],
  'members.write': admins,
  'organization.write': admins,
  /** Exports of what customers wrote, how long it is kept, legal holds and erasure. */
  'data.write': admins,
  'keys.write': admins,
  'apiTokens.write': admins,
  'billing.write': admins,
  /** Hand the organization over, or delete it. */
  'organization.own': ['owner'],
} as const satisfies Record<string, readonly OrganizationRole[]>

export type Permission = keyof typeof ROLES_OF
export const PERMISSIONS = Object.keys(ROLES_OF) as Permission[]

/** Whether a role has a permission. */
export function may(role: OrganizationRole, permission: Permission): boolean {
  return (ROLES_OF[permission] as readonly OrganizationRole[]).includes(role)
}

/** Whether a member answers customers, and is assigned conversations. */
export function mayAnswer(role: OrganizationRole): boolean {
  return may(role, 'inbox.write')
}

/** The roles of those who answer. */
export const ANSWERING_ROLES = ORGANIZATION_ROLES.filter(mayAnswer)

/** Whether a member of one role may change or remove a member of another, or give that role: the owner anyone, admins all but the owner. */
export function mayManage(role: OrganizationRole, other: OrganizationRole): boolean {
  return may(role, 'members.write') && other !== 'owner'
}

/** What a program may do with a token of the organization: by the HTTP API the first two, by MCP all. */
export const API_SCOPES = [
  ...(['knowledge.read', 'knowledge.write', 'agents.read', 'agents.write'] as const),
  ...(['conversations.read', 'conversations.write'] as const),
] as const
export type ApiScope = (typeof API_SCOPES)[number]
/** Of a token that is made without naming any. */
export const DEFAULT_SCOPES: readonly ApiScope[] = ['knowledge.read', 'knowledge.write']
