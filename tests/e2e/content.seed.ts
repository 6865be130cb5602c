// An organization whose conversations contain every kind of content: written by an agent, by customers, by the team, with attachments of each
// kind in each state, sources, and turn traces with every field.
import type pg from 'pg'
import { NOTE_TEXT_MAX } from '#shared/limits.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'
import { call, idOf, type Session, signUp, uploadDocument, uploadTable } from '#tests/seeds/installation.ts'
import { ENDLESS, NAMES, TEXTS } from './content.texts.ts'
import { startFilled } from './filled.ts'
import { expect } from './fixtures.ts'
import type { Installation } from './server.ts'

export const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
export const FILES = ['notes.md', 'plain.txt', 'page.html', 'data.json', 'goods.csv']
const KINDS = ['voice', 'audio', 'image', 'video', 'video_note', 'document', 'sticker', 'location', 'contact', 'other']
const FAILURES = ['off', 'unsupported', 'too_large', 'removed', 'internal']
const NOTICES = [
  'assigned',
  'routed',
  'unassigned',
  'merged',
  'separated',
  'rerouted',
  'paused',
  'a_reason_of_tomorrow',
]
/** Reasons whose text is a number. */
const COUNTED = new Set(['merged', 'separated'])
/** Choices shown next to a text that was sent as a button press, a template or a quote. */
const CHOICES = JSON.stringify(['<b>Yes</b>', 'No &amp; never'])

export type Content = {
  installation: Installation
  session: Session
  agentId: string
  spaceSlug: string
  /** Ids of conversations by the authors of their contents. */
  conversations: { agent: string; customer: string; endless: string; attachments: string; team: string }
  /** Number of messages in each of them. */
  counts: Record<'agent' | 'customer' | 'endless' | 'attachments' | 'team', number>
  close(): Promise<void>
}

export function startContent(): Promise<Content> {
  return startFilled(fill)
}

async function fill(installation: Installation, client: pg.Client): Promise<Omit<Content, 'installation' | 'close'>> {
  const session = await signUp(installation.url, ANNA, 'Anna & Co')
  const model = 'openai/gpt-4.1-mini'
  const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper', model }))
  await client.query(`update agents set name = $1, avatar = 'javascript:alert(1)' where id = $2`, [NAMES[0], agentId])
  const { spaceSlug, chunk } = await fillKnowledge(session, client, agentId)
  const writer = new Writer(client, session, agentId)
  const { token } = installation.telegram.addBot()
  await writer.open(idOf(await call(session, 'action', 'channels/telegram:provision', { agentId, botToken: token })))
  const texts = TEXTS.map(({ text }) => text)
  for (const text of texts)
    await writer.say('agent', text, { sources: [chunk], choices: CHOICES, quoted: text.slice(0, 200) })
  for (const text of texts) await writer.say('customer', text, { quoted: text.slice(0, 200) })
  for (const { text } of ENDLESS) await writer.say('endless', text, { author: 'agent' })
  for (const { text } of ENDLESS) await writer.say('endless', text, { author: 'customer' })
  for (const text of texts) await writer.say('team', text, { author: 'operator' })
  for (const reason of NOTICES)
    await writer.say('team', COUNTED.has(reason) ? '2' : '<b>2</b> &amp;', { author: 'system', reason })
  for (const kind of KINDS) await writer.attach(kind)
  for (const name of ['agent', 'customer', 'endless', 'attachments', 'team']) await writer.finish(name)
  for (const text of texts) {
    await call(session, 'mutation', 'conversations/notes:add', noteOn(text))
  }
  const of = <Value>(value: (name: string) => Value) =>
    Object.fromEntries(Object.keys(writer.counts).map((name) => [name, value(name)]))
  const conversations = of((name) => `content-${name}`) as Content['conversations']
  return { session, agentId, spaceSlug, conversations, counts: writer.counts as Content['counts'] }
}

/** A team name of maximum length. */
function noteOn(text: string) {
  return { conversationId: 'content-customer', text: text.slice(0, NOTE_TEXT_MAX), mentions: [] }
}

/** A note with every text, a document of each format, and a table. @returns a passage as a source of an answer */
async function fillKnowledge(session: Session, client: pg.Client, agentId: string) {
  const name = 'Space <b>&amp;</b>'
  const made = await call(session, 'mutation', 'knowledge/spaces:create', { name })
  const spaceId = idOf(made)
  const { slug } = made as { slug: string }
  await call(session, 'mutation', 'knowledge/spaces:linkAgent', { knowledgeSpaceId: spaceId, agentId })
  const all = TEXTS.map(({ text }) => text.slice(0, 800)).join('\n\n')
  const rows = [...NAMES, ...TEXTS.map(({ text }) => text.slice(0, 100))].map((text) =>
    JSON.stringify(text).replaceAll('\\"', '""'),
  )
  const contents: Record<string, string> = {
    'data.json': JSON.stringify(TEXTS.map((each) => ({ ...each, text: each.text.slice(0, 500) }))),
    'goods.csv': ['name,price', ...rows.map((row, at) => `${row},${at}`)].join('\n'),
    'page.html': `<h1>Page</h1>${TEXTS.map(({ text }) => `<p>${text.slice(0, 300)}</p>`).join('')}`,
  }
  for (const file of FILES) await uploadDocument(session, spaceId, file, contents[file] ?? all)
  await uploadTable(session, spaceId, 'goods.csv', contents['goods.csv'] ?? '')
  const note = { knowledgeSpaceId: spaceId, name: NAMES[0], content: all, alsoAskedAs: NAMES }
  const noteId = idOf(await call(session, 'mutation', 'knowledge/fragments:create', note))
  const busy = async () => (await client.query(`select from documents where status <> 'ready'`)).rowCount
  await expect.poll(busy, { timeout: 60_000 }).toBe(0)
  const { rows: chunks } = await client.query('select id from chunks where source_id = $1 order by ordinal', [noteId])
  const chunk = {
    chunkId: chunks[0].id,
    documentId: noteId,
    source: NAMES[0],
    page: null,
    score: 0.5,
    excerpt: all.slice(0, 500),
  }
  return { spaceSlug: slug, chunk }
}

type Extra = { author?: string; reason?: string; sources?: unknown[]; choices?: string; quoted?: string }

/** Inserts rows as the pipeline does, a second apart. */
class Writer {
  readonly counts: Record<string, number> = {}
  private readonly client: pg.Client
  private readonly session: Session
  private readonly agentId: string
  private written = 0

  constructor(client: pg.Client, session: Session, agentId: string) {
    this.client = client
    this.session = session
    this.agentId = agentId
  }

  async open(connectionId: string) {
    for (const [at, name] of ['agent', 'customer', 'endless', 'attachments', 'team'].entries()) {
      this.counts[name] = 0
      const customer = [`customer-${name}`, this.session.organizationId, connectionId, NAMES[at]]
      await this.client.query(
        'insert into customers (id, organization_id, connection_id, external_id, name, username) values ($1, $2, $3, $1, $4, $4)',
        customer,
      )
      await this.client.query(
        `insert into conversations (id, organization_id, agent_id, channel, connection_id, customer_id, external_chat_id, status,
           handoff_note, pause_reason, paused_at)
         values ($1, $2, $3, 'telegram', $4, $5, $1, 'paused', $6, 'operator', now())`,
        [`content-${name}`, this.session.organizationId, this.agentId, connectionId, customer[0], TEXTS[0]?.text],
      )
      await this.client.query(
        `insert into conversation_ratings (organization_id, conversation_id, score, comment, rated_at) values ($1, $2, 4, $3, now())`,
        [this.session.organizationId, `content-${name}`, TEXTS[0]?.text],
      )
      for (const tag of NAMES) {
        await this.client.query('insert into conversation_tags values ($1, $2, $3)', [
          this.session.organizationId,
          `content-${name}`,
          tag,
        ])
      }
    }
  }

  async say(
    name: string,
    text: string,
    { author = name, reason, sources = [], choices, quoted }: Extra = {},
  ): Promise<string> {
    this.written += 1
    const id = `message-${this.written}`
    this.counts[name] = (this.counts[name] ?? 0) + 1
    const turnId = author === 'agent' || author === 'system' ? await this.record(name, id, text) : null
    await this.client.query(
      `insert into messages (id, organization_id, conversation_id, author, text, reason, sources, choices, quoted, turn_id, user_id,
         unfounded, model, latency_ms, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, null, $11, $12, 5, now() - interval '1 hour' + $13 * interval '1 second')`,
      [
        ...[id, this.session.organizationId, `content-${name}`, author, text, reason ?? null, JSON.stringify(sources)],
        ...[choices ?? null, quoted ?? null, turnId],
        ...[
          author === 'agent' ? JSON.stringify([text.slice(0, 300)]) : null,
          author === 'agent' ? '<b>a model</b>' : null,
        ],
        this.written,
      ],
    )
    return id
  }

  /** Ready with a text, failed with each reason, and pending. */
  async attach(kind: string) {
    const states = [['ready', null], ['waiting', null], ...FAILURES.map((reason) => ['failed', reason])] as const
    const id = await this.say('attachments', '', { author: 'customer' })
    for (const [at, [status, reason]] of states.entries()) {
      await this.client.query(
        `insert into attachments (id, organization_id, conversation_id, message_id, position, kind, name, size_bytes, duration_seconds,
           status, text, reason) values ($1, $2, 'content-attachments', $3, $4, $5, $6, 10, 3, $7, $8, $9)`,
        [
          ...[
            `attachment-${kind}-${at}`,
            this.session.organizationId,
            id,
            at,
            kind,
            at === 0 ? null : NAMES[at % NAMES.length],
          ],
          ...[status, status === 'ready' ? TEXTS.map(({ text }) => text.slice(0, 200)).join('\n') : null, reason],
        ],
      )
    }
    await this.client.query('update messages set attachment_count = $1 where id = $2', [states.length, id])
  }

  async finish(name: string) {
    const { text } = TEXTS[name === 'agent' ? 0 : 1] ?? { text: '' }
    await this.client.query(
      `update conversations set last_message_author = 'customer', last_message_text = $2, last_message_at = now(), message_count = $3
       where id = $1`,
      [`content-${name}`, text, this.counts[name]],
    )
  }

  /** A turn, and a trace whose every part contains the text. */
  private async record(name: string, messageId: string, text: string): Promise<string> {
    const turnId = `turn-of-${messageId}`
    await this.client.query(
      `insert into turns (id, organization_id, conversation_id, status, not_before, waiting_since, outcome, attempts, finished_at)
       values ($1, $2, $3, 'done', now(), now(), 'replied', '[]', now())`,
      [turnId, this.session.organizationId, `content-${name}`],
    )
    await this.client.query(
      'insert into turn_traces (turn_id, organization_id, conversation_id, trace) values ($1, $2, $3, $4)',
      [...[turnId, this.session.organizationId, `content-${name}`, JSON.stringify(traceOf(text.slice(0, 1000)))]],
    )
    return turnId
  }
}

function traceOf(text: string): TurnTrace {
  const usage = { inputTokens: 1, outputTokens: 2, costMicroUsd: null, durationMs: 3 }
  const result = { id: 'chunk' as never, source: NAMES[0] ?? '', page: null, score: 0.5, excerpt: text }
  return {
    ...{
      kind: 'reply',
      agentVersion: 1,
      isDraft: false,
      overrides: { 'model.temperature': 0, prompt: text },
      outcome: 'replied',
    },
    ...{ startedAt: Date.now(), finishedAt: Date.now() + 1000 },
    gates: [{ gate: 'conversation', hasPassed: true, facts: { status: 'active' } }],
    prompt: { system: text, messages: [{ role: 'user', text }], temperature: 1, droppedMessages: 0, summary: text },
    searches: [{ query: text, isWeak: true, results: [result] }],
    tools: [{ name: '<b>tool</b>', arguments: text, result: text, hasFailed: true, durationMs: 1 }],
    attempts: [{ model: '<b>model</b>', failure: 'timeout', firstTokenMs: null, ...usage }],
    media: [
      {
        kind: 'image',
        provider: 'openai',
        model: null,
        failure: 'off',
        costMicroUsd: 0,
        isApproximate: true,
        durationMs: 1,
      },
    ],
    sentences: [{ text, verdict: 'unfounded', unfounded: [text], sources: ['chunk'] }],
  } as TurnTrace
}
