// While the database is away every endpoint reports it by a code, and open connections continue by themselves when it is back.
import { setTimeout as sleep } from 'node:timers/promises'
import { ConvexError } from 'convex/values'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { unlessAway } from '#server/platform/functions/away.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { createMigratedDatabase } from '#tests/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/fakes/database-proxy.ts'

const AWAY = { data: { code: 'database_unavailable' } }

/** Headers of a signed delivery, whose form alone makes the server read further. */
const SIGNED = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  'webhook-signature': `v1,${'A'.repeat(43)}=`,
}

describe('while the database is away', () => {
  let url: string
  let drop: () => Promise<void>
  let proxy: DatabaseProxy
  let app: TestApp
  let person: Person
  beforeAll(async () => {
    ;({ url, drop } = await createMigratedDatabase())
    proxy = await startDatabaseProxy(url)
    const database = await openDatabase({ databaseUrl: proxy.url, dataDir: '' }, pino({ level: 'silent' }))
    app = await startApp({ database: { database, url: proxy.url, close: () => database.close() } })
    person = await app.signUp()
  })
  afterEach(async () => {
    proxy.away = false
    proxy.befalls = () => 'nothing'
    proxy.cut()
    await expect.poll(() => app.database.isWritable(), { timeout: 20_000 }).toBe(true)
  })
  afterAll(async () => {
    await app.close()
    await app.database.close()
    await proxy.close()
    await drop()
  })

  it('functions fail with its code', async () => {
    await person.live().query(api.agents.list, {})
    proxy.away = true
    await expect(person.http.query(api.agents.list, {})).rejects.toMatchObject(AWAY)
    await expect(person.http.mutation(api.agents.create, { name: 'Away' })).rejects.toMatchObject(AWAY)
    await expect(person.live().action(api.channels.telegram.provision, {} as never)).rejects.toBeInstanceOf(ConvexError)
  })

  it('HTTP routes answer 503 with Retry-After', async () => {
    const path = 'p'.repeat(43)
    const token = { authorization: `Bearer ${await person.token()}` }
    proxy.away = true
    const doors: [string, RequestInit][] = [
      [`/webhooks/telegram/${path}`, { method: 'POST', body: '{}' }],
      [
        '/api/auth/sign-in/email',
        { method: 'POST', body: JSON.stringify({ email: person.email, password: 'a long password' }) },
      ],
      ['/api/auth/token', { headers: { authorization: `Bearer ${person.sessionToken}` } }],
      ['/api/auth/get-session', { headers: { authorization: `Bearer ${person.sessionToken}` } }],
      [`/api/webchat/${'k'.repeat(22)}/session`, { method: 'POST', body: '{}' }],
      [`/api/channels/http/${'0'.repeat(32)}/messages`, { method: 'POST', body: '{}', headers: SIGNED }],
      ['/api/files/documents?knowledgeSpaceId=x&name=x.txt', { method: 'POST', body: 'text', headers: token }],
      ['/api/v1/spaces', { headers: { authorization: `Bearer parley_${'t'.repeat(43)}` } }],
    ]
    const answers = doors.map(async ([door, request]) => {
      const headers = { 'content-type': 'application/json', ...(request.headers as Record<string, string>) }
      const answer = await fetch(app.url + door, { ...request, headers })
      return [door, answer.status, answer.headers.get('retry-after'), await answer.json()]
    })
    expect(await Promise.all(answers)).toEqual(
      doors.map(([door]) => [door, 503, '1', { code: 'database_unavailable' }]),
    )
  })

  it('functions answer with Retry-After', async () => {
    const token = await person.token()
    proxy.away = true
    const body = JSON.stringify({ path: 'users:current', args: {} })
    const answer = await fetch(`${app.url}/api/query`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([560, '1'])
  })

  it('a read-only database is reported by the same code', async () => {
    const admin = new pg.Client(url)
    await admin.connect()
    const name = new URL(url).pathname.slice(1)
    await admin.query(`alter database "${name}" set default_transaction_read_only = on`)
    proxy.cut()
    await expect(person.http.mutation(api.agents.create, { name: 'Read only' })).rejects.toMatchObject(AWAY)
    expect(await person.http.query(api.agents.list, {})).toBeInstanceOf(Array)
    await admin.query(`begin read write; alter database "${name}" reset default_transaction_read_only; commit`)
    await admin.end()
  })

  it('a query that the database neither answers nor refuses ends', async () => {
    proxy.bytesBefore = 1
    proxy.befalls = () => 'silent'
    proxy.cut()
    await expect(person.http.query(api.agents.list, {})).rejects.toMatchObject(AWAY)
  })

  it('a mutation of a connected client waits for it, and runs once', async () => {
    const name = 'Made meanwhile'
    const agents = async () => (await person.http.query(api.agents.list, {})).filter((agent) => agent.name === name)
    expect(await person.live().query(api.agents.list, {})).toBeInstanceOf(Array)
    proxy.away = true
    const making = person.live().mutation(api.agents.create, { name })
    await sleep(3000) // longer than a transaction retries by itself
    proxy.away = false
    await making
    expect(await agents()).toHaveLength(1)
  })

  it('live queries continue when it is back', async () => {
    const name = 'Seen after the return'
    const seen = Promise.withResolvers<void>()
    const stop = person.live().onUpdate(api.agents.list, {}, (agents) => {
      if (agents.some((agent) => agent.name === name)) seen.resolve()
    })
    await person.live().query(api.agents.list, {})
    proxy.away = true
    await sleep(500)
    proxy.away = false
    await person.http.mutation(api.agents.create, { name })
    await seen.promise
    stop()
  })
})

describe('a slow call', () => {
  const never = new Promise<string>(() => {})

  it('is aborted when the database is away', async () => {
    await expect(unlessAway({ isWritable: async () => false }, never)).rejects.toMatchObject({ code: '08006' })
  })

  it('is waited for as long as the database is there', async () => {
    const slow = Promise.withResolvers<string>()
    let looks = 0
    const isWritable = async () => {
      looks += 1
      if (looks === 3) slow.resolve('done')
      return looks !== 1
    }
    expect(await unlessAway({ isWritable }, slow.promise)).toBe('done')
    expect(looks).toBe(3)
  })
})
