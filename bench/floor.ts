// The floor: the least that any program must do for the same work, in a process of its own. Bare HTTP, the same inserts over the
// bare driver, one bare streaming model call, one bare sendMessage; and a bare websocket broadcast.
// Run: node bench/floor.ts <model url> <telegram root> <database url>
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { type WebSocket, WebSocketServer } from 'ws'
import { callModel, post } from './floor.model.ts'
import { FLOOR_SCHEMA } from './floor.schema.ts'

type Query = (sql: string, values?: unknown[]) => Promise<unknown>
type Transact = (run: (query: Query) => Promise<void>) => Promise<void>

const [modelUrl = '', telegramRoot = '', databaseUrl = ''] = process.argv.slice(2)
const transact = await openPostgres()

async function openPostgres(): Promise<Transact> {
  const pool = new Pool({ connectionString: databaseUrl, max: 16 })
  pool.on('error', () => process.exit(1))
  await pool.query(FLOOR_SCHEMA)
  return async (run) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await run((sql, values) => client.query(sql, values))
      await client.query('commit')
    } finally {
      client.release()
    }
  }
}

type Update = { update_id: number; message: { chat: { id: number }; from: { first_name: string }; text: string } }

/** Stores one update with everything that hangs on it. */
async function receive(update: Update): Promise<{ conversation: string; turn: string }> {
  const { chat, from, text } = update.message
  const conversation = `conversation-${chat.id}`
  const turn = randomUUID()
  await transact(async (query) => {
    await query('insert into floor_inbound (connection_id, external_key, payload) values ($1, $2, $3)', [
      'bot',
      String(update.update_id),
      JSON.stringify(update),
    ])
    await query(
      'insert into floor_customers (id, external_id, name) values ($1, $2, $3) on conflict (external_id) do update set name = excluded.name',
      [randomUUID(), String(chat.id), from.first_name],
    )
    await query(
      `insert into floor_conversations (id, external_chat_id, message_count, last_message_text) values ($1, $2, 1, $3)
       on conflict (id) do update set message_count = floor_conversations.message_count + 1, last_message_text = excluded.last_message_text`,
      [conversation, String(chat.id), text],
    )
    await query('insert into floor_messages (id, conversation_id, author, text) values ($1, $2, $3, $4)', [
      randomUUID(),
      conversation,
      'customer',
      text,
    ])
    await query("insert into floor_turns (id, conversation_id, status) values ($1, $2, 'pending')", [
      turn,
      conversation,
    ])
  })
  return { conversation, turn }
}

/** Stores the reply, what it cost and what is to be sent. */
async function finish(turn: string, conversation: string, chatId: number, text: string): Promise<string> {
  const outbox = randomUUID()
  const message = randomUUID()
  await transact(async (query) => {
    await query('insert into floor_messages (id, conversation_id, author, text) values ($1, $2, $3, $4)', [
      message,
      conversation,
      'agent',
      text,
    ])
    await query(
      "insert into floor_outbox (id, conversation_id, message_id, external_chat_id, text, status) values ($1, $2, $3, $4, $5, 'queued')",
      [outbox, conversation, message, String(chatId), text],
    )
    await query('insert into floor_usage_events (source_id, category, channel, tokens) values ($1, $2, $3, 100)', [
      turn,
      'agent_response',
      'telegram',
    ])
    await query(
      `insert into floor_usage_hours (hour, category, shard, messages) values (date_trunc('hour', now()), 'agent_response', $1, 1)
       on conflict (hour, category, shard) do update set messages = floor_usage_hours.messages + 1`,
      [Math.floor(Math.random() * 8)],
    )
    await query("update floor_turns set status = 'done' where id = $1", [turn])
    await query(
      'update floor_conversations set message_count = message_count + 1, last_message_text = $2 where id = $1',
      [conversation, text],
    )
  })
  return outbox
}

async function reply(update: Update, stored: { conversation: string; turn: string }): Promise<void> {
  const text = await callModel(modelUrl, update.message.text)
  const outbox = await finish(stored.turn, stored.conversation, update.message.chat.id, text)
  await post(`${telegramRoot}/bot1:floor/sendMessage`, { chat_id: update.message.chat.id, text })
  await transact(async (query) => {
    await query("update floor_outbox set status = 'sent' where id = $1", [outbox])
  })
}

async function readJson(request: IncomingMessage): Promise<Update> {
  let body = ''
  for await (const chunk of request) body += chunk
  return JSON.parse(body) as Update
}

const server = createServer(async (request, response) => {
  const update = await readJson(request)
  const stored = await receive(update)
  response.writeHead(200).end()
  await reply(update, stored)
})

/** `broadcast` sends the text to every socket; `ask` streams a model's answer back to the one that asked. */
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket: WebSocket) => {
  socket.on('message', async (data) => {
    const text = String(data)
    if (text.startsWith('ask')) return callModel(modelUrl, text, (delta) => socket.send(delta))
    const bytes = Buffer.from(text)
    for (const other of sockets.clients) other.send(bytes, { binary: false })
  })
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`)
})
