// Uploads with deceptive names, paths and types: each is refused, or stored as what it is under a generated name. None escapes the
// files folder, and none is ever served as a page.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const CLIMBS = [
  '../../../../etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '....//....//etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '..%252f..%252fetc%252fpasswd',
  '%2e%2e/%2e%2e/etc/passwd',
  '..%c0%af..%c0%afetc/passwd',
  '..;/..;/etc/passwd',
  '/etc/passwd',
  '//host/share/file',
  '\\\\host\\share\\file',
  'C:\\boot.ini',
  'file:///etc/passwd',
  '..\u0000/etc/passwd',
  '\u2025/\u2025/etc/passwd',
  '\uff0e\uff0e\u2215etc\u2215passwd',
  '.',
  '..',
  '~/.ssh/id_rsa',
  '#{jndi:ldap://127.0.0.1/a}',
  '$(id)',
  '; drop table documents; --',
  "' or '1'='1",
  '{{7*7}}',
  '__proto__',
  'constructor',
  'null',
  '0',
  '-1',
  '9'.repeat(400),
  'a'.repeat(5_000),
]
/** The name under which a file is shown; undefined: it is refused. */
const NAMES: [name: string, shown: string | undefined][] = [
  ['../../../../tmp/parley-escaped.txt', 'parley-escaped.txt'],
  ['..\\..\\parley-escaped.txt', 'parley-escaped.txt'],
  ['/etc/cron.d/job.txt', 'job.txt'],
  ['C:\\windows\\x.txt', 'x.txt'],
  ['..%2f..%2fx.txt', '..%2f..%2fx.txt'],
  ['x.txt\u0000.exe', undefined],
  ['x.exe\u0000.txt', 'x.exe.txt'],
  ['invoice\u202etxt.exe', undefined],
  ['invoice\u202eexe.txt', 'invoiceexe.txt'],
  ['\u2066line\u2069.txt', 'line.txt'],
  ['a\r\nset-cookie: x=1.txt', 'aset-cookie: x=1.txt'],
  ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
  ['"; filename="x.html.txt', '"; filename="x.html.txt'],
  ['x.php.txt', 'x.php.txt'],
  ['CON.txt', 'CON.txt'],
  ['NUL.txt', 'NUL.txt'],
  ['x.txt::$DATA', undefined],
  ['x.txt.', undefined],
  ['x.txt ', 'x.txt'],
  ['x.TXT', 'x.TXT'],
  ['.txt', undefined],
  ['.htaccess', undefined],
  ['web.config', undefined],
  ['x.svg', undefined],
  ['x.html.svg', undefined],
  ['x.phtml', undefined],
  ['x.jsp', undefined],
  ['x.txt/', 'x.txt'],
  ['x.__proto__', undefined],
  ['\ud800.txt', '\ufffd.txt'],
  [`${'я'.repeat(1_000)}.txt`, `${'я'.repeat(251)}.txt`],
  [`x.${'t'.repeat(3_000)}`, undefined],
]
const FORM = '--x\r\ncontent-disposition: form-data; name="file"; filename="../../x.txt"\r\n\r\nwords\r\n--x--'
const POSING = JSON.stringify({ files: { file: { filepath: '/etc/passwd', originalFilename: 'x.txt' } } })
/** The content type that a request declares, its body, and whether it is accepted. */
const TYPES: [type: string, body: string, status: number][] = [
  ['multipart/form-data; boundary=x', FORM, 415],
  ['MULTIPART/Form-Data; boundary=x', FORM, 415],
  [' multipart/mixed', FORM, 415],
  ['multipart/form-data', POSING, 415],
  ['application/json', POSING, 201],
  ['application/json; boundary=x', FORM, 201],
  ['application/x-www-form-urlencoded', 'file=%2Fetc%2Fpasswd', 201],
  ['text/html', '<script>alert(1)</script>Words that are shown to nobody as a page.', 201],
  ['image/svg+xml', '<svg onload="alert(1)">words</svg>', 201],
  ['application/x-httpd-php', '<?php system("id"); ?>', 201],
  ['nothing', 'words', 201],
]

let app: TestApp
let person: Person
let authorization: string
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  authorization = `Bearer ${await person.token()}`
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Files' }))._id
})
afterAll(() => app.close())

type Given = { space?: string; name?: string; type?: string; body?: string }

async function post(route: 'documents' | 'tables', { space, name, type, body }: Given) {
  const query = new URLSearchParams({ knowledgeSpaceId: space ?? knowledgeSpaceId, name: name ?? 'x.txt' })
  const answer = await fetch(`${app.url}/api/files/${route}?${query}`, {
    method: 'POST',
    headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
    body: body ?? 'words',
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

describe('the name of a file', () => {
  it.each(NAMES)('%j', async (name, shown) => {
    const { status, body } = await post('documents', { name })
    expect([status, body.name]).toEqual(shown === undefined ? [415, undefined] : [201, shown])
  })

  it.each(CLIMBS.slice(0, 12))('of a table: %j', async (climb) => {
    const { status, body } = await post('tables', { name: `${climb}.csv`, body: 'a,b\n1,2' })
    expect(status).toBe(201)
    expect(body.name).not.toMatch(/[/\\\p{Cc}]/u)
  })
})

it.each(TYPES)('the declared content type: %s', async (type, body, status) => {
  const answer = await post('documents', { name: 'typed.txt', type, body })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json'])
})

describe.each(CLIMBS)('%j', (climb) => {
  it('matches no space id and no file id', async () => {
    for (const route of ['documents', 'tables'] as const) {
      const { status, body } = await post(route, { space: climb, name: 'x.csv' })
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
    for (const folder of ['attachments', 'documents', 'tables', 'avatars', 'exports']) {
      const answer = await fetch(`${app.url}/api/files/${folder}/${encodeURIComponent(climb)}`, {
        headers: { authorization },
      })
      expect([folder, answer.status]).toEqual([folder, 404])
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('matches no space slug, and may be a space name', async () => {
    const place = { slug: climb, organizationId: person.organization._id }
    const found = person.http.query(api.knowledge.spaces.getBySlug, place)
    await expect(found).rejects.toMatchObject({
      data: { code: expect.stringMatching(/^(not_found|invalid_arguments)$/) },
    })
    const made = await person.http.mutation(api.knowledge.spaces.create, { name: climb }).catch((error) => error.data)
    expect(made.code ?? 'made').toMatch(/^(made|invalid_arguments)$/)
    if (!made.code) expect(made.slug).toMatch(/^[a-z0-9-]+$/)
  })
})

it('stores all of them under generated names, and parses none beyond its size', async () => {
  await app.settle()
  const folder = path.join(app.config.dataDir, 'files')
  expect(readdirSync(folder).filter((name) => !/^([0-9a-v]{32}|STORE_ID)$/.test(name))).toEqual([])
  expect(readdirSync(app.config.dataDir).sort()).toEqual(['files'])
  const documents = await person.http.query(api.knowledge.documents.list, { knowledgeSpaceId })
  for (const { _id: sourceId } of documents.filter(({ name }) => name === 'typed.txt')) {
    const paginationOpts = { numItems: 10, cursor: null }
    const { page } = await person.http.query(api.knowledge.chunks.list, { sourceId, paginationOpts })
    expect(page.map(({ content }) => content).join()).not.toContain('root:')
  }
})
