// How long the inbox of 100,000 conversations and 2,000,000 messages takes to answer: each filter, each order, the search, the unread
// count, through the server as a client calls it; compared with a floor that only reads the rows of one page by id over the bare driver.
import { ConvexHttpClient } from 'convex/browser'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationFilter } from '#shared/messaging/conversations.ts'
import { api, startApp } from '#tests/app.ts'
import { type InboxSize, USUAL_WORD } from '#tests/seeds/inbox.ts'
import { signIn } from '#tests/seeds/installation.ts'
import { type BigInbox, OWNER } from './big-inbox.ts'
import { percentile } from './measures.ts'
import { heading, table, target } from './report.ts'

const PAGE = 50
const LIMIT_MS = 300
const DAY_MS = 86_400_000

/** @param isQuick fewer calls */
export async function benchInbox(isQuick: boolean, { databaseUrl, size, agentId, userId }: BigInbox): Promise<void> {
  heading('Inbox, on PostgreSQL')
  const database = await openDatabase({ databaseUrl, dataDir: '' }, pino({ level: 'silent' }))
  const app = await startApp({
    database: { database, url: databaseUrl, close: () => database.close() },
    hasRealPasswords: true,
  })
  const floor = new pg.Client(databaseUrl)
  await floor.connect()
  try {
    const { token } = await signIn(app.url, OWNER)
    const http = new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
    http.setAuth(token)
    await measureAll({ http, userId }, agentId, floor, isQuick ? 20 : 60, size)
  } finally {
    await floor.end()
    await app.close()
    await database.close()
  }
}

/** The caller. */
type Asking = { http: ConvexHttpClient; userId: Id<'users'> }

async function measureAll(
  person: Asking,
  agentId: Id<'agents'>,
  floor: pg.Client,
  rounds: number,
  size: InboxSize,
): Promise<void> {
  const calls = { ...lists(person, agentId), ...others(person, size) }
  const bare = await timesOf(rounds, (round) =>
    floor.query('select * from conversations where id = any($1)', [
      Array.from({ length: PAGE }, (_, at) => `conversation-${String(round * PAGE + at + 1).padStart(9, '0')}`),
    ]),
  )
  const rows: [string, number, number, number][] = []
  for (const [name, call] of Object.entries(calls)) {
    const times = await timesOf(rounds, call)
    rows.push([name, percentile(times, 0.5), percentile(times, 0.95), percentile(times, 0.95) / percentile(bare, 0.95)])
  }
  table(
    ['', 'p50 ms', 'p95 ms', 'to the floor'],
    [['floor', percentile(bare, 0.5), percentile(bare, 0.95), 1], ...rows],
  )
  const [worst, , p95 = 0] = rows.toSorted((one, other) => other[2] - one[2])[0] ?? ['–']
  target(`Inbox, the slowest (${worst}), p95 ms`, p95, `≤ ${LIMIT_MS}`, '50')
}

type Call = (round: number) => Promise<unknown>

function lists(person: Asking, agentId: Id<'agents'>): Record<string, Call> {
  const now = Date.now()
  const filters: Record<string, ConversationFilter> = {
    'no filter': {},
    active: { status: 'active' },
    paused: { status: 'paused' },
    ended: { status: 'ended' },
    'needs a person': { needsPerson: true },
    agent: { agentId },
    channel: { channel: 'webchat' },
    'usual tag': { tag: 'usual' },
    'rare tag': { tag: 'rare' },
    'tag that nothing has': { tag: 'none' },
    mine: { assigneeId: person.userId },
    unassigned: { assigneeId: null },
    'a day long ago': { since: now - 40 * DAY_MS, until: now - 39 * DAY_MS },
    unread: { isUnread: true },
    'not delivered': { hasProblem: true },
    archived: { folder: 'archived' },
    deleted: { folder: 'deleted' },
    'longest wait': { sort: 'waiting' },
    'oldest first': { sort: 'oldest' },
    'mine, paused, tagged': { assigneeId: person.userId, status: 'paused', tag: 'usual' },
    'agent, ended, unread': { agentId, status: 'ended', isUnread: true },
    'archived, needs a person': { folder: 'archived', needsPerson: true },
    'channel, oldest, unread': { channel: 'webchat', sort: 'oldest', isUnread: true },
  }
  const list = (filter: ConversationFilter) =>
    person.http.query(api.conversations.list, { paginationOpts: { numItems: PAGE, cursor: null }, ...filter })
  return Object.fromEntries(Object.entries(filters).map(([name, filter]) => [`list: ${name}`, () => list(filter)]))
}

function others(person: Asking, { conversations, messagesEach }: InboxSize): Record<string, Call> {
  const search = (query: string, filter: ConversationFilter = {}) =>
    person.http.action(api.conversations.search, { query, ...filter })
  /** Each call continues after the previous page. */
  const further = (query: string): Call => {
    let cursor: string | null = null
    return async () => {
      cursor = (await person.http.action(api.conversations.search, { query, cursor })).continueCursor
    }
  }
  const conversationId = (round: number) =>
    `conversation-${String(1 + ((round * 977) % conversations)).padStart(9, '0')}` as Id<'conversations'>
  return {
    'all of the list': () => person.http.query(api.conversations.matching, {}),
    'all of the list, usual tag': () => person.http.query(api.conversations.matching, { tag: 'usual' }),
    'unread count': () => person.http.query(api.conversations.unread, {}),
    'search: one message': (round) => search(String(conversations + round * 1_009)),
    'search: some words': (round) => search(`№${conversations * (messagesEach - 1) + round} ${USUAL_WORD}`),
    'search: a usual word': () => search(USUAL_WORD),
    'search: nothing': () => search('абракадабра'),
    'search: a usual word, all pages in turn': further(USUAL_WORD),
    'search: a name, all pages in turn': further('Wilh'),
    'search: a name': () => search('Wilh'),
    'search: a usual word, archived': () => search(USUAL_WORD, { folder: 'archived' }),
    'search: a usual word, some tag': () => search(USUAL_WORD, { tag: 'some' }),
    'search: a usual word, mine and paused': () => search(USUAL_WORD, { assigneeId: person.userId, status: 'paused' }),
    'search: a name, archived': () => search('Wilh', { folder: 'archived' }),
    'search: one name': (round) => search(`Болат ${round * 8 + 1}`),
    neighbours: (round) => person.http.query(api.conversations.neighbours, { conversationId: conversationId(round) }),
    messages: (round) =>
      person.http.query(api.conversations.messages, {
        conversationId: conversationId(round),
        paginationOpts: { numItems: 40, cursor: null },
      }),
  }
}

/** Milliseconds of each call, after a few warm-up calls. */
async function timesOf(rounds: number, run: Call): Promise<number[]> {
  for (let round = 0; round < 3; round++) await run(round)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await run(round)
    times.push(performance.now() - startedAt)
  }
  return times
}
