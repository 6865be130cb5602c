// Every public function × every kind of caller × ids of another organization: nothing leaks and nothing changes.
// The list of functions is the registry's own, so a function without a call here fails the test.
import { ConvexHttpClient } from 'convex/browser'
import { makeFunctionReference } from 'convex/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modules } from '#server/api.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import type { FunctionDefinition } from '#server/platform/functions/define.ts'
import { createRegistry } from '#server/platform/functions/registry.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { appErrorData } from '#shared/errors.ts'
import { policyOf } from '#shared/organizations/permissions.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { CALLS, functionOf } from './calls.ts'
import { dumpOrganization } from './dump.ts'
import { findFailing, groupsOf } from './failing-cases.ts'
import { type Ids, seedOrganization, UNREACHABLE } from './seed.ts'

const FUNCTIONS = createRegistry(modules, policyOf).all()
const CANARY = 'canary-7f3a'
/** Functions that look for rows of an agent, and find none where it is not the caller's. */
const FILTERED_BY_AGENT = new Set([
  'channelConnections:left',
  'channelConnections:list',
  'conversations:count',
  'conversations:list',
  'conversations:matching',
  'knowledge/spaces:unlinkAgent',
  'testChat:stop',
  'knowledge/spaces:updateLink',
])
const PLATFORM_ADMIN = 'the platform admin, of another organization'
let app: TestApp
let telegram: FakeTelegram
let victim: Person
let foreign: Ids
let callers: Record<string, ConvexHttpClient>
let attacker: Person
let attackersIds: Ids

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({
    telegram,
    config: {
      greenApiUrl: UNREACHABLE,
      whatsappGraphUrl: UNREACHABLE,
      maxApiUrl: UNREACHABLE,
      vkApiUrl: UNREACHABLE,
      avitoApiUrl: UNREACHABLE,
      instagramGraph: { url: UNREACHABLE, version: 'v24.0' },
    },
    overrides: { outbound: createOutbound() },
  })
  // The first account becomes platform admin; no other does.
  const admin = await app.signUp()
  expect(admin.user.role).toBe('admin')
  victim = await app.signUp({ organization: `${CANARY} organization` })
  foreign = await seed(victim, CANARY)
  attacker = await app.signUp()
  attackersIds = await seed(attacker, 'own')
  const revoked = await app.signUp()
  const revokedMember = await app.signUp()
  await joinOrganization(revokedMember, victim)
  for (const person of [revoked, revokedMember]) {
    await app.auth('/revoke-sessions', { token: person.sessionToken, body: {} })
  }
  callers = {
    anonymous: new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false }),
    'a user without an organization': (await app.signUp({ organization: null })).http,
    'a member of another organization': attacker.http,
    [PLATFORM_ADMIN]: admin.http,
    'a revoked session': revoked.http,
    'a revoked session of a member': revokedMember.http,
  }
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})

describe('the list of calls', () => {
  it('names every public function, and no other', () => {
    expect([...new Set(Object.keys(CALLS).map(functionOf))].sort()).toEqual(FUNCTIONS.map(([name]) => name))
  })

  it('leaves no function open to anonymous callers but the one that shows an invitation to who holds its link', () => {
    const open = FUNCTIONS.filter(([, { guard }]) => guard === 'public').map(([name]) => name)
    expect(open).toEqual(['organizations/invites:preview'])
  })
})

describe('with the ids of another organization', () => {
  for (const group of groupsOf(Object.keys(CALLS))) {
    let before = ''

    it(`${group[0]}: a snapshot of everything stored`, async () => {
      await app.settle()
      before = await dumpOrganization(app.database, foreign.organizationId)
    })

    it.each(group)('%s gives nothing away', async (entry) => {
      for (const { caller, args, answer } of await callByAll(entry, foreign)) {
        expect(answer.text, `${caller}: ${JSON.stringify(args)}`).not.toContain(CANARY)
        const namesOther = args.organizationId === foreign.organizationId
        if (namesOther || !mayAnswer(caller, entry)) expect(answer.code, caller).not.toBe('success')
        expect(answer.code, caller).not.toBe('Server Error')
      }
    })

    it(`${group[0]} and those up to ${group.at(-1)} change nothing`, async () => {
      const after = await dumpOrganization(app.database, foreign.organizationId)
      if (after === before) return
      expect(await findFailing(group, (some) => changesSomething(some, callByAll))).toEqual([])
      expect(after).toBe(before) // on a difference, the calls are repeated on an untouched organization to find the cause
    })
  }

  it('finds the one call that changes something among others that do not', async () => {
    const group = Object.keys(CALLS).slice(0, 5)
    group[3] = 'planted'
    const callPlanted = async (entry: string, ids: Ids) => {
      if (entry !== 'planted') return callByAll(entry, ids)
      const leak = app.database.root.updateTable('agents').set({ name: 'Planted' })
      return leak.where('organization_id', '=', ids.organizationId).execute()
    }
    expect(await findFailing(group, (some) => changesSomething(some, callPlanted))).toEqual(['planted'])
  })

  it.each(Object.keys(CALLS).filter((entry) => takesIds(entry)))('%s treats them as not found', async (entry) => {
    const missing = { ...foreign }
    for (const key of Object.keys(missing) as (keyof Ids)[]) missing[key] = newId() as never
    const [theirs, none] = [CALLS[entry]?.args(foreign) ?? {}, CALLS[entry]?.args(missing) ?? {}]
    const answers = [await call(attacker.http, entry, theirs), await call(attacker.http, entry, none)]
    expect(answers[0]?.code).toBe(answers[1]?.code)
  })

  it.each(Object.keys(CALLS).filter(isAboutAgent))('%s says that the agent is unavailable', async (entry) => {
    const args = CALLS[entry]?.args({ ...attackersIds, agentId: foreign.agentId }) ?? {}
    expect((await call(attacker.http, entry, args)).code).toBe('agent_unavailable')
  })
})

describe('with ids of the caller’s own organization', () => {
  /** For an organization that earlier calls may have changed. */
  let used: { person: Person; own: Ids } | null = null

  it.each(Object.keys(CALLS))('%s succeeds, so the refusals above have no other reason', async (entry) => {
    const refusal = CALLS[entry]?.own ?? (isForAdmins(entry) ? 'admin_required' : undefined)
    if (!refusal && used && (await codeOf(used, entry)) === 'success') return
    // Earlier calls may have removed what this one needs: then an untouched organization decides.
    used = await newcomer()
    expect(await codeOf(used, entry)).toBe(refusal ?? 'success')
  })

  async function codeOf({ person, own }: { person: Person; own: Ids }, entry: string) {
    return (await call(person.http, entry, CALLS[entry]?.args(own) ?? {})).code
  }

  /** A member without an organization, unaffected by other calls: nearly all are about the organization. */
  let someone: Person | null = null

  /** A member of an organization that no call has changed yet. */
  async function newcomer() {
    someone ??= await app.signUp({ organization: null })
    const person = someone
    for (const table of ['operators', 'members'] as const) {
      await app.database.root.deleteFrom(table).where('user_id', '=', person.user._id).execute()
    }
    await person.http.mutation(api.organizations.create, { organizationName: 'Own' })
    const user = await person.http.query(api.users.current, {})
    if (!user.organization) throw new Error('a newcomer has no organization')
    const owner = { organizationId: user.organization._id, userId: person.user._id }
    return { person, own: await seedOrganization(app.database, app.services.secrets, owner, 'own') }
  }
})

describe('unknown argument keys', () => {
  const KEYS = ['organizationId', 'organization_id', 'role', '_id', 'userId', 'plan', 'monthlyLimit', '__proto__x']

  it.each(Object.keys(CALLS))('%s refuses them', async (entry) => {
    const args = CALLS[entry]?.args(attackersIds) ?? {}
    const client = isForAdmins(entry) ? (callers[PLATFORM_ADMIN] ?? attacker.http) : attacker.http
    for (const key of KEYS.filter((name) => !(name in args))) {
      const answer = await call(client, entry, { ...args, [key]: foreign.organizationId })
      expect(answer.code, key).toBe('invalid_arguments')
    }
  })
})

async function seed(person: Person, canary: string): Promise<Ids> {
  const owner = { organizationId: person.organization._id, userId: person.user._id }
  return seedOrganization(app.database, app.services.secrets, owner, canary)
}

/** The answers to every caller, with all foreign ids and with each alone. What platform admins may, they may everywhere. */
async function callByAll(entry: string, ids: Ids) {
  const answers = []
  for (const [caller, client] of Object.entries(callers)) {
    if (caller === PLATFORM_ADMIN && isForAdmins(entry)) continue
    for (const args of variants(entry, ids)) answers.push({ caller, args, answer: await call(client, entry, args) })
  }
  return answers
}

/** Whether these calls change something in an untouched organization. */
async function changesSomething(entries: readonly string[], callAll: (entry: string, ids: Ids) => Promise<unknown>) {
  const ids = await seed(await app.signUp({ organization: `${CANARY} organization` }), CANARY)
  await app.settle() // jobs that it enqueued change rows, too
  const before = await dumpOrganization(app.database, ids.organizationId)
  for (const entry of entries) await callAll(entry, ids)
  return (await dumpOrganization(app.database, ids.organizationId)) !== before
}

/** Only members are answered and, where the answer is about the user alone, users without an organization. */
function mayAnswer(caller: string, entry: string): boolean {
  if (caller.endsWith('of another organization')) return true // with their own data
  return caller === 'a user without an organization' && definitionOf(entry).guard === 'user' && !takesIds(entry)
}

function isForAdmins(entry: string): boolean {
  return definitionOf(entry).guard === 'admin'
}

function definitionOf(entry: string): FunctionDefinition {
  const found = FUNCTIONS.find(([name]) => name === functionOf(entry))
  if (!found) throw new Error(`${entry} is not a public function`)
  return found[1]
}

/** The call with all foreign ids, and, for calls that take several, each foreign id alone among own ones. */
function* variants(entry: string, ids: Ids): Generator<Record<string, unknown>> {
  const theirs = CALLS[entry]?.args(ids) ?? {}
  yield theirs
  const own = CALLS[entry]?.args(attackersIds) ?? {}
  const changed = Object.keys(theirs).filter((key) => JSON.stringify(theirs[key]) !== JSON.stringify(own[key]))
  if (changed.length > 1) for (const key of changed) yield { ...own, [key]: theirs[key] }
}

function takesIds(entry: string): boolean {
  return idsOf(entry).length > 0
}

/** The ids that a call takes, by their names among the seeded ones. */
function idsOf(entry: string): string[] {
  const seen: string[] = []
  const spy = new Proxy({} as Ids, {
    get: (_, key) => {
      seen.push(String(key))
      return ''
    },
  })
  CALLS[entry]?.args(spy)
  return seen
}

/** Calls that name one agent; others only filter by it, or are the administrators'. */
function isAboutAgent(entry: string): boolean {
  const { agentId, id } = CALLS[entry]?.args({ agentId: 'one' } as unknown as Ids) ?? {}
  return (agentId ?? id) === 'one' && !FILTERED_BY_AGENT.has(functionOf(entry)) && !isForAdmins(entry)
}

async function call(client: ConvexHttpClient, entry: string, args: Record<string, unknown>) {
  const name = functionOf(entry)
  const { kind } = definitionOf(entry)
  try {
    return { code: 'success', text: JSON.stringify((await run(client, kind, name, args)) ?? null) }
  } catch (error) {
    const data = appErrorData(error)
    const message = error instanceof Error ? error.message : String(error)
    const code = data?.code ?? (message.includes('Server Error') ? 'Server Error' : 'refused')
    return { code, text: `${message} ${JSON.stringify(data ?? null)}` }
  }
}

function run(client: ConvexHttpClient, kind: FunctionDefinition['kind'], name: string, args: Record<string, unknown>) {
  if (kind === 'query') return client.query(makeFunctionReference<'query'>(name), args)
  if (kind === 'mutation') return client.mutation(makeFunctionReference<'mutation'>(name), args, { skipQueue: true })
  return client.action(makeFunctionReference<'action'>(name), args)
}

async function joinOrganization(person: Person, owner: Person): Promise<void> {
  const row = { user_id: person.user._id, organization_id: owner.organization._id, role: 'admin' } as const
  await app.database.root.deleteFrom('members').where('user_id', '=', person.user._id).execute()
  await app.database.root.insertInto('members').values(row).execute()
}
