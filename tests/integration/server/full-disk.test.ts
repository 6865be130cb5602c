// A data folder without room: every door that takes files says so, and the connection serves the next request or says that it ends.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDiskStore } from '#server/platform/files/disk-store.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

/** Every write to it fails for lack of room. */
const FULL = '/dev/full'

let folder: string
let app: TestApp
let person: Person
let doors: { name: string; path: string }[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'full-disk-'))
  const files = await createDiskStore(folder, { openFile: () => createWriteStream(FULL) })
  app = await startApp({ overrides: { files } })
  person = await app.signUp()
  const { _id: space } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Space' })
  doors = [
    { name: 'a document', path: `/api/files/documents?knowledgeSpaceId=${space}&name=a.txt` },
    { name: 'a table', path: `/api/files/tables?knowledgeSpaceId=${space}&name=a.csv` },
    { name: 'a file of the test chat', path: '/api/files/uploads?name=a.txt' },
  ]
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each([
  ['small', 2000],
  ['middling', 60_000],
  ['large', 3_000_000],
])('a %s file', (_, sizeBytes) => {
  it.each([0, 1, 2])('is refused in words, and the next request is answered (door %i)', async (at) => {
    const door = doors[at]
    if (!door) throw new Error('no such door')
    const line = await connect()
    const upload = await uploadOf(door.path, sizeBytes)
    const half = Math.floor(upload.length - sizeBytes / 2)
    line.write(upload.slice(0, half)) // the disk fails before everything has come
    await sleep(50)
    line.write(upload.slice(half))
    const refused = await line.answer()
    expect(refused.status, door.name).toBe(507)
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'storage_full' })
    if (refused.headers.get('connection') === 'close') return await line.ended()
    line.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n')
    expect(await line.answer()).toMatchObject({ status: 200 })
    line.close()
  })
})

async function uploadOf(target: string, sizeBytes: number): Promise<string> {
  const head = [
    `POST ${target} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${await person.token()}`,
    'content-type: application/octet-stream',
    `content-length: ${sizeBytes}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${'x'.repeat(sizeBytes)}`
}

type Answer = { status: number; headers: Headers; body: string }

/** A connection of HTTP/1.1 that is kept. */
async function connect() {
  const { hostname, port } = new URL(app.url)
  const socket = net.connect(Number(port), hostname)
  let received = ''
  let hasEnded = false
  let changed = Promise.withResolvers<void>()
  const note = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    note()
  })
  for (const event of ['end', 'error', 'close']) {
    socket.on(event, () => {
      hasEnded = true
      note()
    })
  }
  await new Promise((done) => socket.once('connect', done))
  return {
    write: (text: string) => void socket.write(text),
    close: () => void socket.destroy(),
    /** The next whole answer. @throws when the connection ends before it */
    async answer(): Promise<Answer> {
      for (;;) {
        const found = firstAnswer(received)
        if (found) {
          received = found.rest
          return found
        }
        if (hasEnded) throw new Error(`the connection ended after ${JSON.stringify(received)}`)
        await changed.promise
      }
    },
    async ended(): Promise<void> {
      while (!hasEnded) await changed.promise
    },
  }
}

function firstAnswer(text: string): (Answer & { rest: string }) | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
  const length = Number(headers.get('content-length') ?? 0)
  const body = text.slice(end + 4, end + 4 + length)
  if (body.length < length) return null
  return { status: Number(first.split(' ')[1]), headers, body, rest: text.slice(end + 4 + length) }
}
