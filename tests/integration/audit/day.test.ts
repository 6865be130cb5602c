// A day of administration: three administrators and the owners of five organizations do what they may at the same time, some of it refused.
// The trail has each act that was done and no other, its chains hold, and no entry can be changed or taken out unseen.
import type { ConvexHttpClient } from 'convex/browser'
import { makeFunctionReference } from 'convex/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proveChains } from '#server/platform/audit/chains.ts'
import { appErrorData } from '#shared/errors.ts'
import { type Person, startApp, type TestApp } from '#tests/app.ts'
import { seededRandom } from '#tests/random.ts'

const HOURS = 24
const ACTS_AN_HOUR = 25
const SEED = 20261128

let app: TestApp
let admins: Person[]
let owners: Person[]
/** Who is locked and unlocked: a lock ends every session. */
let bystanders: Person[]
const random = seededRandom(SEED)

beforeAll(async () => {
  app = await startApp()
  const root = await app.signUp({ name: 'Root' })
  const others = await Promise.all([app.signUp({ name: 'Anna' }), app.signUp({ name: 'Boris' })])
  for (const { user } of others) {
    await root.http.mutation(makeFunctionReference<'mutation'>('admin/members:setRole'), {
      userId: user._id,
      role: 'admin',
    })
  }
  admins = [root, ...others]
  bystanders = await Promise.all([app.signUp({ organization: null }), app.signUp({ organization: null })])
  owners = await Promise.all(Array.from({ length: 5 }, (_, n) => app.signUp({ organization: `Shop ${n}` })))
})
afterAll(() => app.close())

type Act = { by: Person; name: string; args: Record<string, unknown> }

/** What one of them does next; it may be refused. */
function nextAct(count: number): Act {
  const owner = random.pick(owners)
  const { _id: organizationId } = owner.organization
  const reason = random.pick(['Unpaid', 'Оплата пришла', 'A call of the owner'])
  const byAdmin: [string, Record<string, unknown>][] = [
    ['admin/organizations:setPlan', { organizationId, planSlug: random.pick(['starter', 'pro', null, 'none-such']) }],
    [
      'admin/organizations:setMonthlyLimit',
      { organizationId, monthlyLimit: random.pick([null, random.below(9000), -1]) },
    ],
    ['admin/organizations:suspend', { organizationId, reason }],
    ['admin/organizations:resume', { organizationId }],
    ['admin/members:lock', { userId: random.pick(bystanders).user._id, reason }],
    ['admin/members:unlock', { userId: random.pick(bystanders).user._id }],
    ['admin/plans:create', { slug: `plan-${random.below(12)}`, name: `Plan ${count}` }],
    ['admin/plans:update', { slug: `plan-${random.below(12)}`, patch: { name: `Plan ${count}` } }],
    ['admin/plans:archive', { slug: random.pick(['starter', `plan-${random.below(12)}`]) }],
    ['admin/flags:set', { key: random.pick(['voice', 'web_search']), enabled: random.chance(0.5) }],
    ['admin/flags:setOverride', { key: 'voice', organizationId, enabled: random.pick([true, false, null]) }],
    ['admin/template:update', { text: random.pick(['Be polite', 'Отвечай коротко', '{{nonsense}}']) }],
    ['admin/invites:create', { email: `p${random.below(40)}@example.com`, role: 'operator', organizationId }],
    ['admin/models:setPrice', { model: 'openai/gpt-5', price: null }],
    ['admin/support:begin', { organizationId, reason, mayWrite: random.chance(0.5) }],
  ]
  const byOwner: [string, Record<string, unknown>][] = [
    ['organizations:update', { patch: { displayName: `Лавка ${count}` } }],
    ['billing:requestChange', { planSlug: 'pro' }],
    ['billing:withdrawRequest', {}],
    ['organizations/invites:create', { email: `q${random.below(40)}@example.com`, role: 'builder' }],
  ]
  const isAdmin = random.chance(0.75)
  const [name, args] = random.pick(isAdmin ? byAdmin : byOwner)
  return { by: isAdmin ? random.pick(admins) : owner, name, args }
}

/** @returns whether it was done; refused with a code otherwise */
async function carryOut({ by, name, args }: Act): Promise<boolean> {
  const client: ConvexHttpClient = by.http
  try {
    await client.mutation(makeFunctionReference<'mutation'>(name), args, { skipQueue: true })
    return true
  } catch (error) {
    if (!appErrorData(error)) throw new Error(`${name} ${JSON.stringify(args)}`, { cause: error })
    return false
  }
}

const prove = () => app.database.system('test', (db) => proveChains({ db }), { readOnly: true })
const countByAction = async () => {
  const rows = await app.database.root.selectFrom('audit_entries').select(['action']).execute()
  return tally(rows.map(({ action }) => action))
}
const tally = (names: string[]) => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** As someone who owns the tables and switches their guard off. */
async function tamper(statement: string): Promise<void> {
  for (const each of [
    'alter table audit_entries disable trigger keep_audit_entries',
    statement,
    'alter table audit_entries enable trigger keep_audit_entries',
  ])
    await sql.raw(each).execute(app.database.root)
}

it('leaves an entry for each act that was done, in chains that hold', { timeout: 180_000 }, async () => {
  const before = await countByAction()
  const done: string[] = []
  let refused = 0
  for (let hour = 0; hour < HOURS; hour++) {
    const acts = Array.from({ length: ACTS_AN_HOUR }, (_, n) => nextAct(hour * ACTS_AN_HOUR + n))
    const results = await Promise.all(acts.map(carryOut))
    results.forEach((isDone, n) => {
      if (isDone) done.push(acts[n]?.name ?? '')
      else refused++
    })
  }
  const after = await countByAction()
  const added = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  expect(new Map(added.filter(([, count]) => count > 0))).toEqual(tally(done))
  expect(done.length).toBeGreaterThan(200)
  expect(refused).toBeGreaterThan(50)
  const { entries, chains, flaws } = await prove()
  expect(flaws).toEqual([])
  expect(entries).toBe([...after.values()].reduce((sum, count) => sum + count))
  expect(chains).toBe(1 + admins.length + owners.length)
})

it('shows every entry that was changed or taken out, and where', { timeout: 60_000 }, async () => {
  const all = await app.database.root.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  const changes = [
    "actor_name = 'Nemo'",
    "at = at - interval '1 hour'",
    "reason = coalesce(reason, '') || '!'",
    `after = '{"plan":"pro"}'`,
    "address = '10.0.0.1'",
    "action = 'organizations:update '",
  ]
  for (const change of changes) {
    const { id, chain, position } = random.pick(all)
    await sql`create table kept as select * from audit_entries where id = ${id}`.execute(app.database.root)
    await tamper(`update audit_entries set ${change} where id = '${id}'`)
    expect((await prove()).flaws, change).toEqual([{ chain, position, what: 'changed' }])
    await tamper(`delete from audit_entries where id = '${id}'`)
    const [flaw] = (await prove()).flaws
    expect(flaw).toMatchObject({ chain, what: 'missing' })
    await sql.raw('alter table audit_entries disable trigger chain_audit_entry').execute(app.database.root)
    await sql.raw('insert into audit_entries select * from kept').execute(app.database.root)
    await sql.raw('alter table audit_entries enable trigger chain_audit_entry').execute(app.database.root)
    await sql.raw('drop table kept').execute(app.database.root)
    expect((await prove()).flaws).toEqual([])
  }
})
