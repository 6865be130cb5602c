// Who may call what, and whose rows they then see: each kind of function × each kind of caller.
import { expect, it } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import { appErrorData } from '#shared/errors.ts'
import { assertOwnOrganization, authorize } from './access.ts'
import type { Caller } from './caller.ts'
import type { FunctionDefinition, Guard } from './define.ts'
import type { PublicFunction } from './registry.ts'

const person = { userId: newId('users'), sessionId: newId('sessions'), email: 'a@example.com', name: 'A' }
const organizationId = newId('organizations')
const member: Caller = {
  ...person,
  role: 'user',
  organizationId,
  organizationRole: 'builder',
  lacksTwoStep: false,
  suspended: null,
  support: null,
}
const newcomer: Caller = {
  ...person,
  role: 'user',
  organizationId: null,
  organizationRole: null,
  lacksTwoStep: false,
  suspended: null,
  support: null,
}
const admin: Caller = {
  ...person,
  role: 'admin',
  organizationId,
  organizationRole: 'builder',
  lacksTwoStep: false,
  suspended: null,
  support: null,
}

const definition = (guard: Guard, kind: FunctionDefinition['kind'] = 'query') =>
  ({ guard, kind, foreignCode: 'not_found', allows: (role: string) => role !== 'analyst' }) as unknown as PublicFunction
const own = { kind: 'organization', organizationId }
const none = { kind: 'none' }

/** The scope of the rows, or the code of the refusal. */
function outcome(guard: Guard, caller: Caller | null): unknown {
  try {
    return authorize(definition(guard), caller).scope
  } catch (error) {
    return appErrorData(error)?.code
  }
}

it.each<[Guard, Record<'anonymous' | 'newcomer' | 'member' | 'admin', unknown>]>([
  ['public', { anonymous: none, newcomer: none, member: none, admin: none }],
  ['user', { anonymous: 'unauthenticated', newcomer: none, member: own, admin: own }],
  ['org', { anonymous: 'unauthenticated', newcomer: 'organization_required', member: own, admin: own }],
  [
    'admin',
    { anonymous: 'unauthenticated', newcomer: 'admin_required', member: 'admin_required', admin: { kind: 'system' } },
  ],
])('a function for %s', (guard, expected) => {
  const callers = { anonymous: null, newcomer, member, admin }
  const found = Object.entries(callers).map(([name, caller]) => [name, outcome(guard, caller)])
  expect(Object.fromEntries(found)).toEqual(expected)
})

it.each<Guard>(['user', 'org'])('a function for %s refuses a role that the policy does not name', (guard) => {
  expect(outcome(guard, { ...member, organizationRole: 'analyst' })).toBe('role_required')
  expect(outcome(guard, { ...member, role: 'admin', organizationRole: 'analyst' })).toBe('role_required')
})

it('a member without a role is none', () => {
  expect(outcome('org', { ...member, organizationRole: null })).toBe('organization_required')
})

it('tells a query that members share nothing of who asks', () => {
  expect(authorize(definition('org'), member).caller).toBeNull()
  expect(authorize(definition('org', 'mutation'), member).caller).toBe(member)
})

it.each<Guard>(['user', 'org'])('takes no other organization in the arguments of a function for %s', (guard) => {
  const access = authorize(definition(guard), member)
  const check = (args: unknown) => () => assertOwnOrganization(definition(guard), access, args)
  for (const args of [{ organizationId }, { organizationId: undefined }, {}, null]) expect(check(args)).not.toThrow()
  for (const other of [newId('organizations'), '', null]) expect(check({ organizationId: other })).toThrow('not_found')
})
