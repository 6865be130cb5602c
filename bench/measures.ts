// The four measurements, each on the server under test and on the floor.
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { call, idOf, type Session } from '#tests/seeds/installation.ts'
import type { Customers, LoadResult, Webhook } from './customers.ts'
import { SyncClient } from './subscribers.ts'

/** One load on one program. CPU is that of the program and its database together, per reply. */
export type ReplyFigures = { perSecond: number; p50: number; p95: number; cpuMs: number; refused: number }

/** A load on a program, and the processor time that the program has used so far. */
export type Load = { run(): Promise<LoadResult>; cpu(): number }

/** Runs a load and charges it with the processor time that `cpu` grew by. */
export async function measureReplies(load: Load): Promise<ReplyFigures> {
  return figuresOf([await measureOnce(load)])
}

/** Runs loads in turns, so that other work of the machine affects all of them. */
export async function measureByTurns<Name extends string>(
  loads: Record<Name, Load>,
  turns: number,
): Promise<Record<Name, ReplyFigures>> {
  const names = Object.keys(loads) as Name[]
  const measured = new Map<Name, Measured[]>(names.map((name) => [name, []]))
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of names) measured.get(name)?.push(await measureOnce(loads[name]))
  }
  return Object.fromEntries(names.map((name) => [name, figuresOf(measured.get(name) ?? [])])) as Record<
    Name,
    ReplyFigures
  >
}

type Measured = LoadResult & { cpuMs: number }

async function measureOnce({ run, cpu }: Load): Promise<Measured> {
  const before = cpu()
  const result = await run()
  await wait(200) // what is recorded after the reply has left belongs to it
  return { ...result, cpuMs: cpu() - before }
}

function figuresOf(measured: Measured[]): ReplyFigures {
  const sum = (value: (one: Measured) => number) => measured.reduce((all, one) => all + value(one), 0)
  const latencies = measured.flatMap((one) => one.latencies)
  const replies = sum((one) => one.replies)
  return {
    perSecond: replies / sum((one) => one.seconds),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    cpuMs: sum((one) => one.cpuMs) / Math.max(1, replies),
    refused: sum((one) => one.refused),
  }
}

/** As many as the largest burst: behind a slow model, a few customers would leave the program cold. */
const WARM_UP_CUSTOMERS = 64

/** Only while their conversations are short: long ones cause other work, which would run on into the measurements. */
const TALK_MS = 4_000

/** Messages of customers until both programs are warm. */
export async function warmUp(customers: Customers, targets: Webhook[], milliseconds: number): Promise<void> {
  for (const target of targets) {
    for (let left = milliseconds; left > 0; left -= TALK_MS) {
      await customers.talk(target, WARM_UP_CUSTOMERS, Math.min(left, TALK_MS))
    }
  }
}

/** Test chat: question sent → first text of the answer shown, milliseconds, for each of `rounds`. */
export async function measureFirstToken(session: Session, model: string, rounds: number): Promise<number[]> {
  const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'First token', model }))
  const client = await SyncClient.open(session.baseUrl, session.token, { path: 'testChat:messages', args: { agentId } })
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const question = `Question ${round} of the bench`
    const answered = client.until((text) => showsAnswerTo(text, question))
    const sentAt = client.send('Mutation', 'testChat:send', { agentId, text: question })
    const { text, at } = await answered
    times.push(at - sentAt)
    if (text.includes('"streaming"')) await client.until((later) => !later.includes('"streaming"'))
    await wait(50)
  }
  client.close()
  return times
}

/** A result of the chat in which the question is the last but one message and the last one, the agent's, has text. */
function showsAnswerTo(text: string, question: string): boolean {
  if (!text.includes(question) || !text.startsWith('{')) return false
  const message = JSON.parse(text) as { modifications?: { value?: unknown }[] }
  for (const { value } of message.modifications ?? []) {
    const messages = messagesIn(value)
    const asked = messages.findIndex((entry) => entry.text === question)
    if (
      asked >= 0 &&
      messages.some(
        (entry) =>
          entry.author === 'agent' && entry.text !== '' && entry.createdAt >= (messages[asked]?.createdAt ?? 0),
      )
    ) {
      return true
    }
  }
  return false
}

type ChatMessage = { author: string; text: string; createdAt: number }
function messagesIn(value: unknown): ChatMessage[] {
  if (Array.isArray(value)) return value as ChatMessage[]
  if (typeof value !== 'object' || value === null) return []
  if ('page' in value) return messagesIn(value.page)
  if ('messages' in value) return messagesIn(value.messages)
  return []
}

/** Floor: asked over a bare socket → first piece. */
export async function measureFloorFirstToken(floorUrl: string, rounds: number): Promise<number[]> {
  const socket = await openSocket(floorUrl)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const first = nextMessage(socket)
    const sentAt = performance.now()
    socket.send(`ask ${round}`)
    times.push((await first).at - sentAt)
    await wait(60)
  }
  socket.terminate()
  return times
}

/**
 * Fan-out: a write → the last of `count` subscribers holds the whole result; compared with the same bytes broadcast over bare sockets.
 * The two take turns, so that other work of the machine affects both: measured one after the other, two runs of one program gave ratios
 * of 0.9 and 2.4. Milliseconds, for each of `rounds`.
 */
export async function measureFanOut(
  subject: { session: Session; agentId: string; floorUrl: string },
  count: number,
  rounds: number,
): Promise<{ ours: number[]; floor: number[]; bytes: number }> {
  const own = await openSubscribers(subject.session, subject.agentId, count)
  const bare = await openBroadcast(subject.floorUrl, count)
  const [ours, floor]: [number[], number[]] = [[], []]
  let size = 0
  for (let round = 0; round < rounds; round += 1) {
    const { milliseconds, bytes } = await own.round()
    ours.push(milliseconds)
    size = bytes
    await wait(60)
    floor.push(await bare.round(bytes))
    await wait(60)
  }
  own.close()
  bare.close()
  return { ours, floor, bytes: size }
}

async function openSubscribers(
  session: Session,
  agentId: string,
  count: number,
): Promise<{ round(): Promise<{ milliseconds: number; bytes: number }>; close(): void }> {
  const subscription = { path: 'agents:list', args: {} }
  const writer = await SyncClient.open(session.baseUrl, session.token, subscription)
  const readers = await openMany(count, () => SyncClient.open(session.baseUrl, session.token, subscription))
  return {
    async round() {
      const name = `Renamed ${Math.random().toString(36).slice(2)}`
      const all = Promise.all(readers.map((reader) => reader.until((text) => text.includes(name))))
      const sentAt = writer.send('Mutation', 'agents:update', { id: agentId, patch: { name } })
      const received = await all
      return { milliseconds: last(received) - sentAt, bytes: Buffer.byteLength(received[0]?.text ?? '') }
    },
    close() {
      for (const client of [writer, ...readers]) client.close()
    },
  }
}

async function openBroadcast(
  floorUrl: string,
  count: number,
): Promise<{ round(bytes: number): Promise<number>; close(): void }> {
  const writer = await openSocket(floorUrl)
  const readers = await openMany(count, () => openSocket(floorUrl))
  return {
    async round(bytes) {
      const all = Promise.all(readers.map(nextMessage))
      const sentAt = performance.now()
      writer.send(''.padEnd(bytes, 'x'))
      return last(await all) - sentAt
    },
    close() {
      for (const socket of [writer, ...readers]) socket.terminate()
    },
  }
}

function last(received: { at: number }[]): number {
  return Math.max(...received.map(({ at }) => at))
}

/** Opens many sockets, some at a time, as browsers would after a restart. */
async function openMany<T>(count: number, open: () => Promise<T>): Promise<T[]> {
  const opened: T[] = []
  while (opened.length < count) {
    const batch = Math.min(25, count - opened.length)
    opened.push(...(await Promise.all(Array.from({ length: batch }, open))))
  }
  return opened
}

function openSocket(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

function nextMessage(socket: WebSocket): Promise<{ at: number; text: string }> {
  return new Promise((resolve) => {
    socket.once('message', (data: Buffer) => resolve({ text: data.toString(), at: performance.now() }))
  })
}

/** The value below which that share of the values lies; 0 for no values. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
