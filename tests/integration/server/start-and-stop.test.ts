// Starting and stopping: what an operator sees, what survives, and who is admin afterwards.
import { once } from 'node:events'
import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { ConvexHttpClient } from 'convex/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkApplicationSecret, loadApplicationSecret } from '#server/platform/auth/application-secret.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { StartError } from '#server/platform/lib/start-error.ts'
import { api, PASSWORD, startApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { runRefusedServer, startServerProcess } from '#tests/server-process.ts'

let folder: string
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'parley-start-'))
})
afterAll(() => fs.rm(folder, { recursive: true, force: true }))

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Empty: there is no such process. */
const readStatus = (pid: number) => fs.readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')

describe('a server process', () => {
  // Four starts from nothing, each with a database of its own.
  it('keeps accounts and sessions over a clean stop, and refuses a second process', { timeout: 240_000 }, async () => {
    const env = { DATA_DIR: path.join(folder, 'kept') }
    const first = await startServerProcess(env)
    const signedUp = await post(`${first.url}/api/auth/sign-up/email`, { email: 'a@example.test', password: PASSWORD })
    const { token } = (await signedUp.json()) as { token: string }
    expect((await fs.stat(path.join(env.DATA_DIR, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect(first.output()).toContain('the first account of this installation is platform admin')

    const second = await runRefusedServer(env)
    expect(second.code).toBe(1)
    expect(second.output).toContain(`is in use by process ${first.child.pid}`)
    expect(second.output.trim().split('\n')).toHaveLength(1)

    expect(await first.stop('SIGTERM')).toBe(0)
    const again = await startServerProcess(env)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${again.url}/api/auth/token`, { headers })).status).toBe(200)
    expect(await again.stop('SIGINT')).toBe(0)

    await fs.rm(path.join(env.DATA_DIR, 'secret.key'))
    const withoutKey = await runRefusedServer(env)
    expect(withoutKey.code).toBe(1)
    expect(withoutKey.output).toContain('bring back the file secret.key')
    expect(withoutKey.output).not.toMatch(/\n\s+at /)
  })

  it('keeps serving when its PostgreSQL is killed, and leaves none behind when it is killed itself', async () => {
    const env = { DATA_DIR: path.join(folder, 'killed') }
    const server = await startServerProcess(env)
    const lock = path.join(env.DATA_DIR, 'postgres', 'data', 'postmaster.pid')
    const postmaster = async () => Number.parseInt(await fs.readFile(lock, 'utf8').catch(() => ''), 10)
    const isRunning = async (pid: number) => /^State:\s+[^ZX]/m.test(await readStatus(pid))
    await post(`${server.url}/api/auth/sign-up/email`, { email: 'a@example.test', password: PASSWORD })

    process.kill(await postmaster(), 'SIGKILL')
    const signIn = () => post(`${server.url}/api/auth/sign-in/email`, { email: 'a@example.test', password: PASSWORD })
    await expect.poll(async () => (await signIn().catch(() => null))?.status).toBe(200)

    const second = await postmaster()
    expect(await isRunning(second)).toBe(true)
    await server.stop('SIGKILL')
    await expect.poll(() => isRunning(second)).toBe(false)
  }, 180_000)

  it('treats an empty variable as unset', async () => {
    const empty = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_BASE_URL: '', DATABASE_URL: '' }
    const refused = await runRefusedServer({ ...empty, DATA_DIR: path.join(folder, 'empty'), PORT: 'none' })
    expect(refused.output).toContain('The configuration is not valid')
    expect(refused.output.match(/^ {2}\w+:/gm)).toEqual(['  PORT:'])
  })

  it('reports in one line that the port is in use', async () => {
    const other = net.createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as net.AddressInfo
    const refused = await runRefusedServer({ DATA_DIR: path.join(folder, 'port'), PORT: String(port) })
    expect(refused).toEqual({ code: 1, output: expect.stringContaining(`Port ${port} is in use`) })
    expect(refused.output.trim().split('\n')).toHaveLength(1)
    other.close()
  })

  it('lists all errors of the configuration', async () => {
    const refused = await runRefusedServer({ PORT: 'x', APP_SECRET: 'short', LOG_LEVEL: 'loud' })
    expect(refused.code).toBe(1)
    for (const name of ['PORT', 'APP_SECRET', 'LOG_LEVEL']) expect(refused.output).toContain(`${name}: `)
    expect(refused.output).not.toMatch(/\n\s+at /)
  })

  it('reports that the database cannot be reached', async () => {
    const refused = await runRefusedServer({ DATABASE_URL: 'postgres://secretuser@127.0.0.1:9/none' })
    expect(refused.code).toBe(1)
    expect(refused.output).not.toMatch(/\n\s+at /)
    expect(refused.output).not.toContain('secretuser@')
  })
})

describe('probes', () => {
  it('succeed while the server serves, and readyz fails when the database is gone', async () => {
    const database = await openTestDatabase()
    const app = await startApp({ database })
    const probe = async (name: string) => (await fetch(`${app.url}/${name}`)).status
    expect([await probe('livez'), await probe('healthz'), await probe('readyz')]).toEqual([200, 200, 200])
    await app.services.database.root.destroy()
    await expect.poll(() => probe('readyz'), { timeout: 20_000 }).toBe(503) // the result is cached for a second
    expect(await probe('livez')).toBe(200)
    await app.close().catch(() => {})
    await database.close().catch(() => {})
  })
})

describe('the first admin', () => {
  const roles = async (app: Awaited<ReturnType<typeof startApp>>) => {
    const rows = await app.database.root.selectFrom('users').select(['email', 'role']).orderBy('email').execute()
    return Object.fromEntries(rows.map(({ email, role }) => [email, role]))
  }
  const signUp = (app: Awaited<ReturnType<typeof startApp>>, email: string) =>
    app.auth('/sign-up/email', { body: { email, password: PASSWORD } })
  const signIn = async (app: Awaited<ReturnType<typeof startApp>>, email: string) => {
    const answer = await app.auth('/sign-in/email', { body: { email, password: PASSWORD } })
    return ((await answer.json()) as { token: string }).token
  }

  it('is one of two accounts created at the same time, and no later one', async () => {
    const app = await startApp()
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => signUp(app, `${name}@example.test`)))
    await signUp(app, 'later@example.test')
    const all = await roles(app)
    expect(Object.values(all).filter((role) => role === 'admin')).toHaveLength(1)
    expect(all['later@example.test']).toBe('user')
    await app.close()
  })

  it('has no successor when it leaves', async () => {
    const app = await startApp()
    const first = await app.signUp({ organization: null })
    expect(first.user.role).toBe('admin')
    await app.auth('/delete-user', { token: first.sessionToken, body: { password: PASSWORD } })
    expect((await app.signUp({ organization: null })).user.role).toBe('user')
    await app.close()
  })

  it('is the one that ADMIN_EMAILS names, instead of the first', async () => {
    const app = await startApp({ config: { adminEmails: ['boss@example.test'] } })
    for (const email of ['first@example.test', 'Boss@Example.test', 'boss@example.test.evil.test'])
      await signUp(app, email)
    expect(await roles(app)).toEqual({
      'first@example.test': 'user',
      'boss@example.test': 'admin',
      'boss@example.test.evil.test': 'user',
    })
    await app.close()
  })

  it('can also be an existing account that ADMIN_EMAILS names, at the next start or sign-in', async () => {
    const database = await openTestDatabase()
    const appSecret = 'the same at every start, and long enough'
    const before = await startApp({ database, config: { appSecret } })
    for (const email of ['first@example.test', 'boss@example.test', 'later@example.test']) await signUp(before, email)
    await before.auth('/delete-user', {
      token: await signIn(before, 'first@example.test'),
      body: { password: PASSWORD },
    })
    expect(await roles(before)).toEqual({ 'boss@example.test': 'user', 'later@example.test': 'user' })
    await before.close()

    const adminEmails = ['boss@example.test', 'new-name@example.test']
    const after = await startApp({ database, config: { appSecret, adminEmails } })
    expect(await roles(after)).toEqual({ 'boss@example.test': 'admin', 'later@example.test': 'user' })
    const renamed = { email: 'new-name@example.test' }
    await database.database.root.updateTable('users').set(renamed).where('email', '=', 'later@example.test').execute()
    await signIn(after, 'new-name@example.test')
    expect(await roles(after)).toEqual({ 'boss@example.test': 'admin', 'new-name@example.test': 'admin' })
    await after.close()
    await database.close()
  })

  it('of ADMIN_EMAILS must verify the address if mail can be sent', async () => {
    const mail = { smtpUrl: 'smtp://127.0.0.1:9', from: 'parley@example.test' }
    const database = await openTestDatabase()
    const config = { appSecret: 'the same at every start, and long enough', adminEmails: ['boss@example.test'], mail }
    const app = await startApp({ database, config })
    await signUp(app, 'boss@example.test')
    await signIn(app, 'boss@example.test')
    expect(await roles(app)).toEqual({ 'boss@example.test': 'user' })
    await app.close()
    const again = await startApp({ database, config })
    expect(await roles(again)).toEqual({ 'boss@example.test': 'user' })
    await again.close()
    await database.close()
  })
})

describe('an admin of ADMIN_EMAILS whose role another admin has taken', () => {
  const startNamed = (database: Awaited<ReturnType<typeof openTestDatabase>>) =>
    startApp({
      database,
      config: {
        appSecret: 'the same at every start, and long enough',
        adminEmails: ['boss@example.test', 'second@example.test'],
      },
    })

  it('gets it back neither by signing in nor by a start, until no admin is left', async () => {
    const database = await openTestDatabase()
    const app = await startNamed(database)
    const [boss, second] = [
      await app.signUp({ email: 'boss@example.test', organization: null }),
      await app.signUp({ email: 'second@example.test', organization: null }),
    ]
    const roleOf = async ({ email }: typeof boss) => {
      const row = database.database.root.selectFrom('users').where('email', '=', email).select('role')
      return (await row.executeTakeFirstOrThrow()).role
    }
    expect([await roleOf(boss), await roleOf(second)]).toEqual(['admin', 'admin'])
    await boss.http.mutation(api.admin.members.setRole, { userId: second.user._id, role: 'user' })
    expect((await app.auth('/sign-in/email', { body: { email: second.email, password: PASSWORD } })).status).toBe(200)
    expect(await roleOf(second)).toBe('user')
    await app.close()
    const again = await startNamed(database)
    expect(await roleOf(second)).toBe('user')
    await again.auth('/delete-user', { token: boss.sessionToken, body: { password: PASSWORD } })
    await again.close()
    const last = await startNamed(database)
    expect(await roleOf(second)).toBe('admin')
    await last.close()
    await database.close()
  })
})

describe('two servers of one installation', () => {
  it("accept each other's sessions and tokens", async () => {
    const database = await openTestDatabase()
    const config = { appSecret: 'the same for both, and long enough' }
    const [one, two] = [await startApp({ database, config }), await startApp({ database, config })]
    const person = await one.signUp()
    expect((await two.auth('/token', { token: person.sessionToken })).status).toBe(200)
    const elsewhere = new ConvexHttpClient(two.url, { skipConvexDeploymentUrlCheck: true, logger: false })
    elsewhere.setAuth(await person.token())
    expect(await elsewhere.query(api.users.current, {})).toEqual(person.user)
    await Promise.all([one.close(), two.close()])
    await database.close()
  })
})

describe('the application secret', () => {
  const log = createLogger('silent')

  it('from the configuration must match the one of the database', async () => {
    const test = await openTestDatabase()
    const [right, wrong] = ['a'.repeat(32), 'b'.repeat(32)].map((secret) => createSecrets(secret))
    if (!right || !wrong) throw new Error('two were made')
    await checkApplicationSecret(test.database, right)
    await checkApplicationSecret(test.database, right)
    await expect(checkApplicationSecret(test.database, wrong)).rejects.toThrow(StartError)
    await test.close()
  })

  it('of a shared database is created once for all servers', async () => {
    const test = await openTestDatabase()
    const config = {
      appSecret: undefined,
      previousAppSecrets: [],
      databaseUrl: 'postgres://somewhere',
      dataDir: folder,
    }
    const shared = { ...test.database, engine: 'postgres' as const }
    const secrets = await Promise.all([1, 2, 3].map(() => loadApplicationSecret(config, shared, log)))
    expect(new Set(secrets.map(({ current }) => current)).size).toBe(1)
    expect(secrets[0]?.current.length).toBeGreaterThanOrEqual(43)
    await test.close()
  })
})
