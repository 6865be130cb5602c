// Which public functions leave an entry in the audit trail: all that change the installation, members, keys, money and what is kept.
import { expect, it } from 'vitest'
import { modules } from '#server/api.ts'
import { createRegistry } from '#server/platform/functions/registry.ts'
import { FUNCTIONS, policyOf } from '#shared/organizations/permissions.ts'
import type { Permission } from '#shared/organizations/policy.ts'

const PERMISSIONS: Permission[] = [
  ...(['members.write', 'organization.write', 'organization.own'] as const),
  ...(['keys.write', 'apiTokens.write', 'billing.write', 'data.write'] as const),
]
/** Of administrators, or under these permissions, but no change: they look, or try. */
const LOOKING = [
  'admin/health:get',
  'admin/health:storage',
  'agents/keys:test',
  'conversations/retention:preview',
  'mcpServers:authorize',
  'mcpServers:refresh',
]
/** What agents may ask of the outside world, and access to accounts there. */
const OUTSIDE = [
  ...['conversations/approvals:approve', 'conversations/approvals:decline'],
  ...['integrations/calendar:disconnect', 'tools:create', 'tools:remove', 'tools:update'],
]
/** Changes of membership that need no permission. */
const OWN = ['organizations:create', 'organizations/invites:accept', 'organizations/members:leave']

const all = createRegistry(modules, policyOf).all()

it('are all changes of an administrator, and those of membership', () => {
  const isChange = (name: string) => {
    const need = FUNCTIONS[name]
    if (OWN.includes(name) || OUTSIDE.includes(name)) return true
    return need !== undefined && need !== 'account' && PERMISSIONS.includes(need)
  }
  const expected = all.filter(
    ([name, { kind, guard }]) => kind !== 'query' && !LOOKING.includes(name) && (guard === 'admin' || isChange(name)),
  )
  const audited = all.filter(([, { isAudited }]) => isAudited)
  expect(audited.map(([name]) => name)).toEqual(expected.map(([name]) => name))
})

it('names no function that is gone', () => {
  const names = new Set(all.map(([name]) => name))
  expect([...LOOKING, ...OUTSIDE, ...OWN].filter((name) => !names.has(name))).toEqual([])
})
