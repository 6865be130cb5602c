// Files crafted to break parsers: each ends with a clear error, and customers are answered meanwhile.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type Route, SECRET } from '#tests/fakes/hostile.ts'
import { CONTAINERS } from '#tests/fakes/hostile-containers.ts'
import { PAGES } from '#tests/fakes/hostile-pages.ts'
import { TEXTS } from '#tests/fakes/hostile-texts.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { FLOODED } from '#tests/flood.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const FILES = [...CONTAINERS, ...PAGES, ...TEXTS]
const CUSTOMERS = [9101, 9102, 9103]
const ROUTES: Route[] = ['documents', 'tables']
/** Documents and tables that are parsed concurrently. */
const READ_AT_ONCE = 3
const UNDER_WAY = ['processing', 'uploaded', 'analyzing']

let app: TestApp
let person: Person
let telegram: FakeTelegram
let botToken: string
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm(echo) } })
  person = await app.signUp()
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Files' }))._id
  const agent = await person.http.mutation(api.agents.create, { name: 'Agent' })
  await person.http.mutation(api.agents.update, { id: agent._id, patch: FLOODED })
  botToken = telegram.addBot().token
  await person.http.action(api.channels.telegram.provision, { agentId: agent._id, botToken })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})

async function send(route: Route, name: string, content: string | Uint8Array): Promise<void> {
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const body = typeof content === 'string' ? content : new Uint8Array(content)
  const answer = await fetch(`${app.url}/api/files/${route}?${query}`, { method: 'POST', headers, body })
  expect([name, answer.status]).toEqual([name, 201])
}

type State = { id: string; ends: string; warns: string[] }

/** The outcome or state of every file: the reason of a failure, else the state. */
async function states(route: Route): Promise<Map<string, State>> {
  const list = { documents: api.knowledge.documents.browse, tables: api.knowledge.tables.list }[route]
  const { page } = await person.http.query(list, { knowledgeSpaceId, paginationOpts: { numItems: 100, cursor: null } })
  return new Map(
    page.map(({ _id, name, status, errorReason, warnings }) => {
      return [name, { id: _id, ends: errorReason ?? status, warns: warnings.map(({ kind }) => kind) }]
    }),
  )
}

async function countUnderWay(): Promise<number> {
  const all = await Promise.all(ROUTES.map(states))
  return all.flatMap((each) => [...each.values()]).filter(({ ends }) => UNDER_WAY.includes(ends)).length
}

let asked = 0

/** Every customer writes and receives the answer. @returns ms until all have it */
async function talk(): Promise<number> {
  const began = performance.now()
  asked += 1
  for (const chat of CUSTOMERS) telegram.customerSays(botToken, chat, `Question ${asked}`)
  for (const chat of CUSTOMERS) {
    const answers = await telegram.waitForSent(chat, asked)
    expect(answers.at(-1)?.text).toBe(`You said: Question ${asked}`)
  }
  return performance.now() - began
}

function median(values: number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
}

/** Parser processes of this server. */
function parsers(): number[] {
  const processes = execFileSync('ps', ['-eo', 'ppid=,pid=,args=']).toString().split('\n')
  const mine = processes.map((line) => line.trim().split(/\s+/)).filter(([parent]) => Number(parent) === process.pid)
  const reads = (part: string) => /(parse|table)-process\.ts$/.test(part)
  return mine.filter(([, , ...program]) => program.some(reads)).map(([, pid]) => Number(pid))
}

it('while all parser slots are stuck, every customer is answered', { timeout: 120_000 }, async () => {
  const long = 'A long sentence, about nothing at all.\n'.repeat(200_000)
  for (const name of ['one.txt', 'two.txt']) await send('documents', name, long)
  await send('tables', 'three.csv', long)
  const held = await vi.waitUntil(() => parsers().length === READ_AT_ONCE && parsers(), {
    timeout: 60_000,
    interval: 20,
  })
  for (const parser of held) process.kill(parser, 'SIGSTOP')
  for (let round = 0; round < 5; round++) await talk()
  expect(parsers()).toEqual(held) // they are still stopped: no answer has waited for them
  expect(await countUnderWay()).toBe(READ_AT_ONCE)
  for (const parser of held) process.kill(parser, 'SIGKILL')
  await app.settle()
})

describe('every hostile file', () => {
  beforeAll(async () => {
    const calm: number[] = []
    for (let round = 0; round < 10; round++) calm.push(await talk())
    for (const { name, content, ends } of FILES) {
      const body = content()
      for (const route of ROUTES) if (ends[route]) await send(route, name, body)
    }
    const busy: number[] = []
    while ((await countUnderWay()) > 0) busy.push(await talk())
    const medianMs = { calm: median(calm), busy: median(busy) }
    console.log({ files: FILES.length, answeredWhileRead: busy.length * CUSTOMERS.length, medianMs })
    expect(busy).not.toEqual([])
    await app.settle()
  }, 900_000)

  it.each(ROUTES)('ends with its error: %s', async (route) => {
    const found = await states(route)
    const wrong = FILES.flatMap(({ name, ends }) => {
      const end = found.get(name)?.ends
      return ends[route] && end !== ends[route] ? [{ name, end, expected: ends[route] }] : []
    })
    expect(wrong).toEqual([])
  })

  it('reports what was left out', async () => {
    const found = await states('documents')
    const warning = FILES.filter(({ warns }) => warns)
    expect(warning.map(({ name }) => [name, found.get(name)?.warns])).toEqual(
      warning.map(({ name, warns }) => [name, warns]),
    )
  })

  it.each(['ru', 'en'])('has a text for each reason: %s', (language) => {
    const { reason } = JSON.parse(readFileSync(`web/locales/${language}/knowledge.json`, 'utf8'))
    const words = FILES.flatMap(({ ends }) => Object.values(ends)).filter((word) => word !== 'ready')
    expect(words.filter((word) => !reason[word])).toEqual([])
  })

  it('has brought nothing external into a passage', async () => {
    const found = await states('documents')
    for (const { name, ends } of FILES.filter(({ ends }) => ends.documents === 'ready')) {
      const sourceId = found.get(name)?.id as Id<'documents'>
      const paginationOpts = { numItems: 100, cursor: null }
      const { page } = await person.http.query(api.knowledge.chunks.list, { sourceId, paginationOpts })
      const isScan = found.get(name)?.warns.includes('no_text_layer') ?? false
      expect([name, ends, page.length > 0]).toEqual([name, ends, !isScan])
      expect(page.map(({ content }) => content).join()).not.toContain(SECRET)
    }
  })

  it('is stored under a generated name in the files folder, and has written nothing else', () => {
    const kept = readdirSync(path.join(app.config.dataDir, 'files')).filter((name) => name !== 'STORE_ID')
    expect(kept.filter((name) => !/^[0-9a-v]{32}$/.test(name))).toEqual([])
    expect(existsSync('/tmp/parley-escaped')).toBe(false)
  })
})
