// Conversation exports: one immediately, sets in the background, and who may download them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetExports } from '#server/domain/messaging/compliance/exports.job.ts'
import { exportTicket } from '#server/domain/messaging/compliance/exports.links.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { BYTE_ORDER_MARK, readCsv } from '#shared/csv.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { EXPORT_LINK_MS, EXPORTS_OPEN_MAX } from '#shared/limits.ts'
import type { Export, ExportFormat } from '#shared/messaging/exports.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const FORMULA = '=HYPERLINK("http://evil.example","Отчёт")'
const MANNER = { language: 'ru', timeZone: 'Asia/Almaty' } as const

let telegram: FakeTelegram
let app: TestApp
let owner: Person
let stranger: Person
let token: string
let agentId: Id<'agents'>
let chat = 9000

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm(echo) } })
  owner = await app.signUp({ name: 'Olga' })
  stranger = await app.signUp({ organization: 'Another shop' })
  agentId = (await owner.http.mutation(api.agents.create, { name: 'Helper' }))._id
  token = telegram.addBot().token
  await owner.http.action(api.channels.telegram.provision, { agentId, botToken: token })
  for (const [name, text] of [
    ['Анна', FORMULA],
    ['Борис', 'Где заказ?'],
    ['Вера', 'Спасибо'],
  ] as const) {
    telegram.customerSays(token, { chatId: ++chat, firstName: name }, text)
    await telegram.waitForSent(chat)
    await app.settle()
  }
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})

async function conversationOf(name: string): Promise<Id<'conversations'>> {
  const { page } = await owner.http.query(api.conversations.list, { paginationOpts: { numItems: 50, cursor: null } })
  const found = page.find(({ customer }) => customer?.name === name)
  if (!found) throw new Error(`no conversation with ${name}`)
  return found._id
}

async function get(path: string, person: Person | null = owner): Promise<Response> {
  return fetch(`${app.url}${path}`, { headers: person ? { authorization: `Bearer ${await person.token()}` } : {} })
}

const pathOf = (id: Id<'conversations'>, format: ExportFormat) =>
  `/api/files/conversations/${id}?format=${format}&language=ru&timeZone=Asia/Almaty`

function create(set: { filter?: object; conversationIds?: Id<'conversations'>[] } = {}, format: ExportFormat = 'json') {
  return owner.http.mutation(api.conversations.exports.create, { filter: {}, ...set, format, ...MANNER })
}

async function found(exportId: Id<'exports'>): Promise<Export | undefined> {
  return (await owner.http.query(api.conversations.exports.list, {})).find(({ _id }) => _id === exportId)
}

/** The file of a set, downloaded through a link. */
async function fileOf(...args: Parameters<typeof create>): Promise<string> {
  const exportId = await create(...args)
  await app.settle()
  const { url } = await owner.http.mutation(api.conversations.exports.link, { exportId })
  return (await get(url)).text()
}

type Parsed = { conversations: { customer: { name: string }; messages: { author: string; text: string }[] }[] }
const namesIn = (text: string) => (JSON.parse(text) as Parsed).conversations.map(({ customer }) => customer.name)

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
}

describe('one conversation', () => {
  it('is exported immediately, with the same messages in every format', async () => {
    const id = await conversationOf('Борис')
    for (const format of ['txt', 'md', 'json', 'csv'] as const) {
      const answer = await get(pathOf(id, format))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; .*Helper-[\\d-]+\\.${format}$`),
      )
      const text = await answer.text()
      expect(text).toContain('Где заказ?')
      expect(text).toContain('You said: Где заказ?')
    }
  })

  it('contains no formula as a table, yet all of its text', async () => {
    const bytes = await (await get(pathOf(await conversationOf('Анна'), 'csv'))).text()
    const raw = Buffer.from(await (await get(pathOf(await conversationOf('Анна'), 'csv'))).arrayBuffer())
    expect([...raw.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const rows = readCsv(bytes.replace(BYTE_ORDER_MARK, ''))
    expect(rows[0]).toContain('Время (Asia/Almaty)')
    expect(rows[1]).toContain(`'${FORMULA}`)
    expect(rows.flat().filter((cell) => /^[=+\-@]/.test(cell))).toEqual([])
  })

  it('is available to members of its organization only', async () => {
    const path = pathOf(await conversationOf('Анна'), 'txt')
    expect((await get(path, null)).status).toBe(401)
    expect((await get(path, stranger)).status).toBe(404)
    expect((await get(path.replace('txt', 'exe'))).status).toBe(400)
    expect((await get(path.replace('Asia/Almaty', 'Nowhere'))).status).toBe(400)
  })
})

describe('a set of conversations', () => {
  it('contains what matches the filters of the inbox, ordered by first message', async () => {
    const conversationIds = [await conversationOf('Вера'), await conversationOf('Анна')]
    await owner.http.mutation(api.conversations.bulk.tag, { conversationIds, tag: 'vip', isOn: true })
    expect(namesIn(await fileOf())).toEqual(['Анна', 'Борис', 'Вера'])
    expect(namesIn(await fileOf({ filter: { tag: 'vip' } }))).toEqual(['Анна', 'Вера'])
    expect(namesIn(await fileOf({ filter: { tag: 'vip' }, conversationIds: [await conversationOf('Вера')] }))).toEqual([
      'Вера',
    ])
    expect(namesIn(await fileOf({ filter: { channel: 'whatsapp' } }))).toEqual([])
    expect((await fileOf({}, 'txt')).match(/You said/g)).toHaveLength(3)
  })

  it('reports its progress, its requester, and its expiry', async () => {
    const exportId = await create()
    await app.settle()
    const made = await found(exportId)
    expect(made).toMatchObject({ status: 'ready', done: 3, total: 3, author: { name: 'Olga' } })
    expect(made?.sizeBytes).toBeGreaterThan(100)
    expect(made?.expiresAt).toBeGreaterThan(Date.now())
  })

  it('is deleted when cancelled, and a finished one cannot be cancelled', async () => {
    const exportId = await create()
    await owner.http.mutation(api.conversations.exports.cancel, { exportId })
    await app.settle()
    expect(await found(exportId)).toMatchObject({ status: 'cancelled', sizeBytes: null })
    expect(await codeOf(owner.http.mutation(api.conversations.exports.link, { exportId }))).toBe('export_not_ready')
    await expect(app.services.files.get(`export-${exportId}.json`)).rejects.toMatchObject({ code: 'ENOENT' })
    const ready = await create()
    await app.settle()
    expect(await codeOf(owner.http.mutation(api.conversations.exports.cancel, { exportId: ready }))).toBe(
      'export_not_cancellable',
    )
  })

  it('stops when it is cancelled while being written', async () => {
    const { files } = app.services
    const put = files.put
    files.put = async (key, body, maxBytes) => {
      const exportId = key.replace(/^export-|\.json$/g, '') as Id<'exports'>
      await owner.http.mutation(api.conversations.exports.cancel, { exportId })
      return put(key, body, maxBytes)
    }
    try {
      const exportId = await create()
      await app.settle()
      expect(await found(exportId)).toMatchObject({ status: 'cancelled', sizeBytes: null })
      await expect(files.get(`export-${exportId}.json`)).rejects.toMatchObject({ code: 'ENOENT' })
    } finally {
      files.put = put
    }
  })

  it('reports a failure to write it', async () => {
    const { files } = app.services
    const put = files.put
    files.put = async () => {
      throw new Error('the disk is full')
    }
    try {
      const exportId = await create()
      await app.settle()
      expect(await found(exportId)).toMatchObject({ status: 'failed', sizeBytes: null })
    } finally {
      files.put = put
    }
  })

  it('is limited to a number of concurrent exports', async () => {
    const { jobs } = app.services
    const send = jobs.send
    jobs.send = async () => undefined // they stay queued
    const ids = []
    try {
      for (let number = 0; number < EXPORTS_OPEN_MAX; number++) ids.push(await create())
      expect(await codeOf(create())).toBe('too_many_exports')
    } finally {
      jobs.send = send
    }
    for (const exportId of ids) await owner.http.mutation(api.conversations.exports.remove, { exportId })
  })
})

describe('a link to a file', () => {
  it('is valid for members of the organization, for this file, and for a limited time', async () => {
    const [exportId, other] = [await create(), await create({ filter: { status: 'ended' } })]
    await app.settle()
    const { url, expiresAt } = await owner.http.mutation(api.conversations.exports.link, { exportId })
    expect(expiresAt - Date.now()).toBeLessThanOrEqual(EXPORT_LINK_MS)
    const answer = await get(url)
    expect(answer.status).toBe(200)
    expect(Number(answer.headers.get('content-length'))).toBe((await found(exportId))?.sizeBytes)
    expect((await get(url, null)).status).toBe(401)
    expect((await get(url, stranger)).status).toBe(404)
    expect((await get(`/api/files/exports/${exportId}`)).status).toBe(403)
    expect((await get(url.replace(exportId, other))).status).toBe(403)
    const { _id: organizationId } = owner.organization
    const old = exportTicket(app.services.secrets, organizationId, { exportId, until: Date.now() - 1 })
    expect((await get(`/api/files/exports/${exportId}?ticket=${encodeURIComponent(old)}`)).status).toBe(403)
  })

  it('returns not found when the file was deleted or has expired', async () => {
    const [removed, expired] = [await create(), await create()]
    await app.settle()
    const links = await Promise.all(
      [removed, expired].map((exportId) => owner.http.mutation(api.conversations.exports.link, { exportId })),
    )
    await owner.http.mutation(api.conversations.exports.remove, { exportId: removed })
    await forgetExports(app.services, new Date((await found(expired))?.expiresAt ?? 0))
    expect(await found(expired)).toBeDefined()
    await forgetExports(app.services, new Date(((await found(expired))?.expiresAt ?? 0) + 1))
    expect(await found(expired)).toBeUndefined()
    await app.settle()
    for (const { url } of links) expect((await get(url)).status).toBe(404)
    for (const id of [removed, expired])
      await expect(app.services.files.get(`export-${id}.json`)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

it('a long conversation and a large set are read page by page, each message once', async () => {
  const conversationId = await conversationOf('Борис')
  const { _id: organizationId } = owner.organization
  await app.database.organization(organizationId, async (db) => {
    const rows = Array.from({ length: 450 }, (_, number) => ({
      id: newId('messages'),
      organization_id: organizationId,
      conversation_id: conversationId,
      author: 'customer' as const,
      user_id: null,
      text: `line ${number}`,
      status: 'complete' as const,
      reason: null,
      turn_id: null,
      sources: '[]',
      model: null,
      input_tokens: null,
      output_tokens: null,
      cost_micro_usd: null,
      price_version: null,
      latency_ms: null,
      first_token_ms: null,
    }))
    await db.insertInto('messages').values(rows).execute()
  })
  const text = await (await get(pathOf(conversationId, 'json'))).text()
  const lines = (JSON.parse(text) as Parsed).conversations[0]?.messages.filter((each) => each.text.startsWith('line'))
  expect(lines?.map((each) => each.text)).toEqual(Array.from({ length: 450 }, (_, number) => `line ${number}`))
})
