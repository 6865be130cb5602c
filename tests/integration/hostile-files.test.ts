// Files that are made to break whoever opens them: each ends with a clear word, and nobody who writes to an agent meanwhile notices.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

type Route = 'documents' | 'tables'
type Hostile = { name: string; content: string | Uint8Array<ArrayBuffer>; ends: Partial<Record<Route, string>> }

const AGENTS = 3
const zeros = new Uint8Array(64_000_000)
const packed = (entries: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    { level: 9 },
  )

/** Each word of ten of the one before: 10⁹ in all. */
const LAUGHS = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from('bcdefghij', (word, at) => `<!ENTITY ${word} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}]>`
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const CIRCLE = '2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 100000>>endobj'
const ESCAPED = '../../../../tmp/parley-escaped'

const FILES: Hostile[] = [
  {
    name: 'bomb.xlsx',
    content: packed({ 'xl/workbook.xml': '<w/>', 'xl/worksheets/sheet1.xml': zeros }),
    ends: { documents: 'too_large', tables: 'too_large' },
  },
  { name: 'bomb.docx', content: packed({ 'word/document.xml': zeros }), ends: { documents: 'too_large' } },
  {
    name: 'nested.xlsx',
    content: packed({ 'a.zip': packed({ 'b.zip': packed({ c: 'x' }) }) }),
    ends: { documents: 'damaged', tables: 'damaged' },
  },
  {
    name: 'entries.docx',
    content: packed(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}`, '']))),
    ends: { documents: 'too_large' },
  },
  {
    name: 'paths.docx',
    content: packed({ [ESCAPED]: 'x', 'word/document.xml': `<w:document ${WORD}/>` }),
    ends: { documents: 'damaged' },
  },
  {
    name: 'laughs.docx',
    content: packed({
      'word/document.xml': `${LAUGHS}<w:document ${WORD}><w:body><w:p><w:r><w:t>Quiet &j;</w:t></w:r></w:p></w:body></w:document>`,
    }),
    ends: { documents: 'ready' }, // the words are not read: nothing grows
  },
  { name: 'deep.json', content: '['.repeat(2_000_000), ends: { documents: 'invalid_json' } },
  { name: 'closed.json', content: '['.repeat(100_000) + ']'.repeat(100_000), ends: { documents: 'damaged' } },
  {
    name: 'circle.pdf',
    content: `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n${CIRCLE}\ntrailer<</Root 1 0 R/Size 3>>\n%%EOF`,
    ends: { documents: 'empty' },
  },
  { name: 'page.pdf', content: '<html><script>alert(1)</script></html>', ends: { documents: 'type_mismatch' } },
  { name: 'columns.csv', content: `${'a,'.repeat(1_000_000)}\n1`, ends: { tables: 'too_large' } },
  { name: 'quotes.csv', content: `"${'"",'.repeat(1_000_000)}`, ends: { tables: 'empty' } },
  { name: `${ESCAPED}.txt`, content: new Uint8Array(1_000_000), ends: { documents: 'empty' } },
]

let app: TestApp
let person: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp({ overrides: { llm: scriptedLlm(echo) } })
  person = await app.signUp()
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Files' }))._id
})
afterAll(() => app.close())

async function send(route: Route, name: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const answer = await fetch(`${app.url}/api/files/${route}?${query}`, { method: 'POST', headers, body })
  expect([name, answer.status]).toEqual([name, 201])
}

/** How every file has ended, or goes on: the reason of what has failed, else the state. */
async function states(route: Route): Promise<Record<string, string>> {
  const list = { documents: api.knowledge.documents.browse, tables: api.knowledge.tables.list }[route]
  const { page } = await person.http.query(list, { knowledgeSpaceId, paginationOpts: { numItems: 100, cursor: null } })
  return Object.fromEntries(page.map(({ name, status, errorReason }) => [name, errorReason ?? status]))
}

/** A conversation with an agent of its own. */
async function startChat() {
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Agent' })
  return async (text: string) => {
    const answered = Promise.withResolvers<void>()
    const stop = person.live().onUpdate(api.testChat.messages, { agentId }, (messages) => {
      const last = messages.at(-1)
      if (last?.status === 'complete' && last.text === `You said: ${text}`) answered.resolve()
    })
    await person.http.mutation(api.testChat.send, { agentId, text })
    await answered.promise
    stop()
  }
}

/** Stops the process that reads a document, as if it never came to an end. @returns its id */
function holdParser(): number {
  const processes = execFileSync('ps', ['-eo', 'ppid=,pid=,args=']).toString().split('\n')
  const mine = processes.map((line) => line.trim().split(/\s+/)).filter(([parent]) => Number(parent) === process.pid)
  const parser = Number(mine.find(([, , ...program]) => program.some((part) => part.endsWith('parse-process.ts')))?.[1])
  process.kill(parser, 'SIGSTOP')
  return parser
}

it('hostile files end with a clear word each, and every chat is answered while they are read', {
  timeout: 240_000,
}, async () => {
  const chats = await Promise.all(Array.from({ length: AGENTS }, startChat))
  const delay = monitorEventLoopDelay()
  delay.enable()
  await send('documents', 'endless.txt', 'A long sentence about nothing at all. '.repeat(200_000))
  const parser = await vi.waitFor(holdParser, { timeout: 45_000 })
  await Promise.all(chats.map((say) => say('before')))
  expect(process.kill(parser, 0)).toBe(true) // it is read still: nobody has waited for it
  await person.http.mutation(api.knowledge.documents.cancel, await endless())
  for (const { name, content, ends } of FILES) {
    if (ends.documents) await send('documents', name, content)
    if (ends.tables) await send('tables', name, content)
  }
  let answered = 0
  const goesOn = (state: string) => ['processing', 'uploaded', 'analyzing'].includes(state)
  const ends = async () => Object.entries({ ...(await states('documents')), ...(await states('tables')) })
  do {
    answered += 1
    await Promise.all(chats.map((say) => say(`round ${answered}`)))
  } while ((await ends()).some(([, state]) => goesOn(state)))
  delay.disable()
  console.log({ chats: answered * AGENTS, longestDelayMs: Math.round(delay.max / 1e6) })
  await app.settle()
  const expected = (route: Route) =>
    Object.fromEntries(FILES.flatMap(({ name, ends }) => (ends[route] ? [[name.split('/').at(-1), ends[route]]] : [])))
  expect(await states('documents')).toEqual({ ...expected('documents'), 'endless.txt': 'cancelled' })
  expect(await states('tables')).toEqual(expected('tables'))
  expect(existsSync('/tmp/parley-escaped') || existsSync('/tmp/parley-escaped.txt')).toBe(false)
})

async function endless(): Promise<{ documentId: Id<'documents'> }> {
  const list = await person.http.query(api.knowledge.documents.list, { knowledgeSpaceId })
  return { documentId: list.find(({ name }) => name === 'endless.txt')?._id as Id<'documents'> }
}
