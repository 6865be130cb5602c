// kill -9 while documents are taken in: one server on the embedded database, or two on one PostgreSQL. Whatever was accepted ends as ready
// or with a reason, and stands in the index once. Run: node tests/chaos/files.ts [files] [kills] [embedded|postgres].
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { utils, write } from '@e965/xlsx'
import { pino } from 'pino'
import { isDeleted, openSegment } from '#server/domain/knowledge/search/index/segment.ts'
import type { Db } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import type { DocumentStatus } from '#shared/knowledge/knowledge.ts'
import { createDatabase } from '#tests/database.ts'
import { makeDocx, paragraph } from '#tests/fakes/docx.ts'
import { makeTextPdf } from '#tests/fakes/pdf.ts'
import { startPostgres } from '#tests/postgres.ts'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { ServerProcess } from './servers.ts'

/** Uploads that are under way at the same time. */
const UPLOADS_AT_ONCE = 4
/** All that was accepted is to end within so long after the last kill, and so much more for each file. */
const REST_MS = 300_000
const REST_MS_A_FILE = 3_000
/** A server that is taken for dead sooner. */
const HASTY = path.resolve(import.meta.dirname, 'hasty-server.ts')
const TOKEN_MS = 120_000
const CREDENTIALS = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery staple' }

type Made = { name: string; body: Uint8Array; expected: 'ready' | 'error' }
export type FilesReport = {
  files: number
  kills: number
  ready: number
  refused: number
  chunks: number
  complaints: string[]
}

/** Uploads mixed files while servers are killed and started again, and judges what became of them. */
export async function runFileKills(files: number, kills: number, databaseUrl?: string): Promise<FilesReport> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-files-'))
  const env = {
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    APP_SECRET: 'one secret for all servers of this test',
    LOG_LEVEL: 'error',
  }
  const servers: ServerProcess[] = []
  try {
    for (let index = 0; index < (databaseUrl ? 2 : 1); index++) servers.push(await ServerProcess.create(env, HASTY))
    await Promise.all(servers.map((server) => server.start()))
    const session = await signUp(servers[0]?.url ?? '', CREDENTIALS, 'Shop')
    const space = idOf(await call(session, 'mutation', 'knowledge/spaces:create', { name: 'Files' }))
    const world: World = { token: session.token, signedInAt: Date.now(), space, servers }
    const accepted = await uploadUnderKills(world, files, kills)
    await untilRested(world, REST_MS + files * REST_MS_A_FILE)
    const ended = servers.flatMap((server) =>
      server.hasEnded ? [`a server ended by itself: ${server.lastWords}`] : [],
    )
    await Promise.all(servers.map((server) => server.stop()))
    const kept = await judgeKept({ databaseUrl, dataDir }, accepted)
    return { files, kills, ...kept, complaints: [...ended, ...kept.complaints] }
  } finally {
    for (const server of servers) await server.kill()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

type World = { token: string; signedInAt: number; space: string; servers: ServerProcess[] }

/** Kills are spread over the uploads and the work that is left after them. @returns document id → file */
async function uploadUnderKills(world: World, files: number, kills: number): Promise<Map<string, Made>> {
  const accepted = new Map<string, Made>()
  let next = 0
  const uploading = Array.from({ length: UPLOADS_AT_ONCE }, async () => {
    while (next < files) {
      const file = makeFile(next++)
      accepted.set(await uploadUntilAccepted(world, file), file)
    }
  })
  for (let kill = 0; kill < kills; kill++) {
    const victim = world.servers[kill % world.servers.length] as ServerProcess
    const from = Math.floor((files * kill) / kills)
    while (accepted.size < Math.min(files, from + 2)) await sleep(20)
    await sleep(Math.random() * 1_500)
    await victim.kill()
    await victim.start()
  }
  await Promise.all(uploading)
  return accepted
}

/** Sends a file again, under one key, until a server says that it has taken it: an answer may be lost after the commit. */
async function uploadUntilAccepted(world: World, { name, body }: Made): Promise<string> {
  const query = new URLSearchParams({ knowledgeSpaceId: world.space, name })
  for (let attempt = 0; ; attempt++) {
    const server = world.servers[attempt % world.servers.length] as ServerProcess
    const { url } = server
    const send = async () =>
      fetch(`${url}/api/files/documents?${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await tokenFor(world, url)}`, origin: url, 'idempotency-key': name },
        body: Buffer.from(body),
      })
    const answer =
      (await server.isReady()) &&
      (await send()
        .then(async (response) => (response.status === 201 ? idOf(await response.json()) : undefined))
        .catch(() => undefined))
    if (answer) return answer
    await sleep(200)
  }
}

/** Nothing is in processing any more, or a server has ended. */
async function untilRested(world: World, limitMs: number): Promise<void> {
  for (const until = Date.now() + limitMs; Date.now() < until; await sleep(200)) {
    if (world.servers.some(({ hasEnded }) => hasEnded)) return
    // A connection that was kept can be closed at the moment of the next request: on a busy machine that is no answer yet.
    if (await isAtRest(world).catch(notAnswered)) return
  }
}

async function isAtRest(world: World): Promise<boolean> {
  const baseUrl = world.servers[0]?.url ?? ''
  const session = { baseUrl, token: await tokenFor(world, baseUrl), organizationId: '' }
  const documents = await call(session, 'query', 'knowledge/documents:list', { knowledgeSpaceId: world.space })
  return (documents as { status: string }[]).every(({ status }) => status !== 'processing')
}

/** `fetch` throws a TypeError where no answer has come. @throws what a server has answered */
function notAnswered(error: unknown): false {
  if (error instanceof TypeError) return false
  throw error
}

/** Tokens last for minutes, and a thousand files take longer on a busy machine. */
async function tokenFor(world: World, url: string): Promise<string> {
  if (Date.now() - world.signedInAt < TOKEN_MS) return world.token
  const headers = { 'content-type': 'application/json', origin: url }
  const body = JSON.stringify(CREDENTIALS)
  const signedIn = await fetch(`${url}/api/auth/sign-in/email`, { method: 'POST', headers, body })
  const { token: sessionToken } = (await signedIn.json()) as { token: string }
  const authorization = `Bearer ${sessionToken}`
  const made = await fetch(`${url}/api/auth/token`, { headers: { ...headers, authorization } })
  world.token = ((await made.json()) as { token: string }).token
  world.signedInAt = Date.now()
  return world.token
}

/** Nine kinds, every ninth of them broken. Each file has a word that no other has. */
function makeFile(number: number): Made {
  const name = `file-${String(number).padStart(4, '0')}`
  const text = `Файл номер ${number}. Курьер приезжает на следующий день. Its word is token${number}x.`
  const kinds: (() => Made)[] = [
    () => ({ name: `${name}.txt`, body: Buffer.from(text.repeat(20)), expected: 'ready' }),
    () => ({ name: `${name}.md`, body: Buffer.from(`# ${name}\n\n${text}\n\n## More\n\n${text}`), expected: 'ready' }),
    () => ({ name: `${name}.html`, body: Buffer.from(`<h1>${name}</h1><p>${text}</p>`), expected: 'ready' }),
    () => ({ name: `${name}.docx`, body: makeDocx({ body: paragraph(text) }), expected: 'ready' }),
    () => ({
      name: `${name}.pdf`,
      body: makeTextPdf([`The word is token${number}x. Delivery takes a day.`]),
      expected: 'ready',
    }),
    () => ({
      name: `${name}.csv`,
      body: Buffer.from(`name;price\n${name} token${number}x;10\nother;20`),
      expected: 'ready',
    }),
    () => ({
      name: `${name}.xlsx`,
      body: makeXlsx([
        ['name', 'price'],
        [`${name} token${number}x`, 10],
      ]),
      expected: 'ready',
    }),
    () => ({ name: `${name}.json`, body: Buffer.from(JSON.stringify({ name, text })), expected: 'ready' }),
    () => brokenFile(name, number),
  ]
  return kinds[number % kinds.length]?.() ?? brokenFile(name, number)
}

function makeXlsx(rows: (string | number)[][]): Uint8Array {
  return new Uint8Array(write(utils.book_new(utils.aoa_to_sheet(rows), 'Prices'), { type: 'array', bookType: 'xlsx' }))
}

function brokenFile(name: string, number: number): Made {
  const bodies: [string, Uint8Array][] = [
    ['pdf', Buffer.from('%PDF-1.7 and nothing more')],
    ['pptx', Buffer.from('PK\u0003\u0004 cut off')],
    ['docx', Buffer.from('PK\u0003\u0004 cut off')],
    ['xlsx', makeDocx({ body: paragraph('No workbook.') })],
    ['json', Buffer.from('{"name": ')],
  ]
  const [extension, body] = bodies[Math.floor(number / 9) % bodies.length] ?? ['txt', Buffer.from(' ')]
  return { name: `${name}.${extension}`, body, expected: 'error' }
}

async function judgeKept(
  place: { databaseUrl: string | undefined; dataDir: string },
  accepted: Map<string, Made>,
): Promise<Omit<FilesReport, 'files' | 'kills'>> {
  const database = await openDatabase(place, pino({ level: 'silent' }))
  try {
    return await database.system('chaos: files', (db) => judgeFiles(db, accepted), { readOnly: true })
  } finally {
    await database.close()
  }
}

async function judgeFiles(db: Db, accepted: Map<string, Made>): Promise<Omit<FilesReport, 'files' | 'kills'>> {
  const documents = await db.selectFrom('documents').selectAll().execute()
  const chunks = await db.selectFrom('chunks').select(['id', 'source_id', 'ordinal']).execute()
  const indexed = new Map<string, number>()
  for (const { blob, deleted } of await db.selectFrom('index_segments').select(['blob', 'deleted']).execute()) {
    const segment = openSegment(blob)
    for (let local = 0; local < segment.chunkCount; local++) {
      if (isDeleted(deleted, local)) continue
      const id = segment.chunkIdAt(local)
      indexed.set(id, (indexed.get(id) ?? 0) + 1)
    }
  }
  const complaints = doublesOf(documents)
  for (const [id, { name, expected }] of accepted) {
    const document = documents.find((each) => each.id === id)
    if (!document) complaints.push(`accepted and lost: ${name}`)
    else if (document.status !== expected) complaints.push(`${name} is ${document.status}: ${document.error_reason}`)
  }
  for (const { id, name, status, chunk_count } of documents) {
    const own = chunks.filter((chunk) => chunk.source_id === id)
    if (status === 'processing') complaints.push(`still in processing: ${name}`)
    if (own.length !== chunk_count) complaints.push(`${name} has ${own.length} chunks`)
    if (new Set(own.map(({ ordinal }) => ordinal)).size !== own.length) complaints.push(`stored twice: ${name}`)
    for (const chunk of own) {
      const times = indexed.get(chunk.id) ?? 0
      if (times !== 1) complaints.push(`indexed ${times} times: ${name}`)
    }
  }
  const count = (status: string) => documents.filter((document) => document.status === status).length
  return { ready: count('ready'), refused: count('error'), chunks: chunks.length, complaints }
}

/** Each file was sent under a key of its own, so it is there once. One that is still being uploaded was cut off, and goes. */
export function doublesOf(documents: { name: string; status: DocumentStatus }[]): string[] {
  const taken = documents.filter(({ status }) => status !== 'uploading')
  const byName = Map.groupBy(taken, ({ name }) => name)
  return [...byName]
    .filter(([, same]) => same.length > 1)
    .map(([name, same]) => `taken in ${same.length} times: ${name}`)
}

if (import.meta.main) {
  const files = Number(process.argv[2] ?? 1_000)
  const kills = Number(process.argv[3] ?? 10)
  const engines = process.argv[4] ? [process.argv[4]] : ['embedded', 'postgres']
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const fresh = postgres && (await createDatabase(postgres.url))
    const { complaints, ...figures } = await runFileKills(files, kills, fresh?.url)
    console.log(engine, figures, complaints.length === 0 ? 'all promises hold' : complaints)
    if (complaints.length > 0) process.exitCode = 1
    await fresh?.drop()
    await postgres?.stop()
  }
  process.exit()
}
