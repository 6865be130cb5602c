// A server that crashes at every failpoint of server/platform/lib/failpoints.ts, one at a time, while customers write, pauses expire and
// follow-ups are due; judged from outside like every kill. On PostgreSQL a second server survives and takes over.
// Run: node tests/chaos/failpoints.ts [times] [embedded|postgres] [moment,moment]
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { FAILPOINTS, type Failpoint } from '#server/platform/lib/failpoints.ts'
import { planFollowUpAt } from '#tests/conversation-parts.ts'
import { createDatabase } from '#tests/database.ts'
import { startPostgres } from '#tests/postgres.ts'
import type { CustomerMessages } from './customers.ts'
import { tokensOf } from './judge.ts'
import { type KillReport, settle } from './kill.ts'
import { chatIdOf, type Messenger, telegramMessenger } from './messengers.ts'
import type { ServerProcess } from './servers.ts'
import { echo, openWorld, type World } from './world.ts'

type Crashes = { times: number; labels: readonly Failpoint[]; databaseUrl?: string | undefined }
/** `hit`: how many servers have crashed at which failpoint. */
type CrashReport = KillReport & { hit: Record<string, number> }

/** Timeout of each wait, ample for a busy machine. */
const CRASH_LIMIT_MS = 60_000
const STIMULUS_MS = 150
/** A server is up by then, and customers have written to a paused agent. */
const PAUSE_MS = 4000
const FOLLOW_UP = 'Are you still there?'
/** Range of passes from which the fatal one is chosen when a failpoint is passed repeatedly. */
const PASSES = 3
/** Crashes between two full drains of the backlog, so that each crash meets few sends. */
const REST_EVERY = 4

/** Of the way of a message; the others have tests of their own: tests/integration/integrations/bookings.test.ts, tests/integration/tools/approvals.test.ts. */
export const MESSAGE_FAILPOINTS = FAILPOINTS.filter((label) => !/^(booking|approved-call)-/.test(label))

/** Failpoints that need more than customers who write. */
const TAKING_OVER: readonly Failpoint[] = ['turns-taken-over', 'parts-taken-over']
const RESUMING: readonly Failpoint[] = ['pauses-ending', 'pauses-ended']
const FOLLOWING_UP: readonly Failpoint[] = ['follow-ups-beginning', 'follow-ups-begun']
const ONCE_A_STEP: readonly Failpoint[] = [...TAKING_OVER, ...RESUMING, ...FOLLOWING_UP]

/** Crashes a server at each of these failpoints, so many times, and judges. */
export async function crashEverywhere({ databaseUrl, times, labels }: Crashes): Promise<CrashReport> {
  const world = await openWorld({ databaseUrl, delivery: 'webhook' }, (origins) => chattyMessenger(origins))
  try {
    const crash = new Crasher(world)
    await crash.acquaint(times * [...RESUMING, ...FOLLOWING_UP].filter((label) => labels.includes(label)).length)
    for (let time = 0; time < times; time++) {
      for (const label of labels) await crash.at(label, ONCE_A_STEP.includes(label) ? 1 : 1 + (time % PASSES))
    }
    for (const server of world.servers) if (server.hasEnded) await server.start()
    const trial = { strike: 'kill', times: times * labels.length, channel: 'telegram', delivery: 'webhook' } as const
    const report = await settle(world, crash.customerMessages, { ...trial, faults: [] })
    return { ...report, hit: crash.hit, complaints: [...report.complaints, ...crash.misdone()] }
  } finally {
    await world.close()
  }
}

/** Customers of an agent that answers in two parts and follows up when the test makes it due. */
async function chattyMessenger(origins: () => string[]): Promise<Messenger> {
  const messenger = await telegramMessenger({ delivery: 'webhook', faults: [], origins })
  const followUps = {
    ...{ isOn: true, quietHours: null, maxPerCustomerADay: 10 },
    steps: [{ afterMinutes: 7 * 24 * 60, mode: 'text', text: FOLLOW_UP }],
  }
  return {
    ...messenger,
    async connect(call, agentId) {
      await messenger.connect(call, agentId)
      const patch = { replies: { splitByParagraphs: true, pace: 'instant' }, followUps }
      await call('mutation', 'agents:update', { id: agentId, patch })
    },
  }
}

class Crasher {
  readonly customerMessages: CustomerMessages = new Map()
  readonly hit: Record<string, number> = {}
  readonly #world: World
  readonly #complaints: string[] = []
  /** Chats that were answered, and in which nothing has happened since. */
  readonly #known: number[] = []
  /** Chats in which a follow-up was due. */
  readonly #followedUp: number[] = []
  #chats = 0
  #crashes = 0

  constructor(world: World) {
    this.#world = world
    world.model.reply(answer)
  }

  /** Answers so many customers, for whom timers may be set later. */
  async acquaint(count: number): Promise<void> {
    const { messenger } = this.#world
    for (let each = 0; each < count; each++) this.#known.push(this.#say(this.#chats++, 0))
    const heard = (chat: number) => messenger.sent().filter(({ chatId }) => chatId === idOf(chat)).length
    await messenger.waitFor(() => this.#known.every((chat) => heard(chat) === 2), 'the first answers', CRASH_LIMIT_MS)
    await this.#writeDown()
  }

  /** Restarts all servers so that what has arrived is recorded as sent: no follow-up is sent after an answer of unknown outcome. */
  async #writeDown(): Promise<void> {
    for (const server of this.#world.servers) await server.stop()
    for (const server of this.#world.servers) await server.start()
  }

  /** Waits until all messages are acknowledged and nothing was sent for a second. */
  async #rest(): Promise<void> {
    const { messenger, servers } = this.#world
    for (const server of servers) if (server.hasEnded) await server.start()
    const messages = [...this.customerMessages.values()]
    await messenger.waitFor(
      () => messages.every((each) => messenger.isTaken(each)),
      'all messages taken',
      CRASH_LIMIT_MS,
    )
    for (let heard = -1; heard !== messenger.sent().length; ) {
      heard = messenger.sent().length
      await sleep(1000)
    }
  }

  /** Has the first server crash at the `pass`th time that it passes this failpoint. */
  async at(label: Failpoint, pass: number): Promise<void> {
    const { servers, model } = this.#world
    const [victim, ...others] = servers
    if (!victim) throw new Error('there is no server')
    if (++this.#crashes % REST_EVERY === 0) await this.#rest()
    const resumed = await this.#prepare(label)
    model.reply(label === 'try-failed' ? () => ({ failure: 'status_500' }) : answer)
    await victim.kill()
    await victim.start(`kill@${label}#${pass}`)
    if (resumed !== undefined) this.#say(resumed, 1)
    await this.#writeUntilDead(victim, label)
    model.reply(answer)
    for (const server of others) if (server.hasEnded) await server.start() // not earlier: it would be the first to claim what is due
    if (victim.wasKilled) this.hit[label] = (this.hit[label] ?? 0) + 1
    else this.#complaints.push(`no server reached "${label}", pass ${pass}: ${victim.lastWords}`)
    if (FOLLOWING_UP.includes(label)) await this.#hearFollowUps()
  }

  /** Lets what was due be sent before another crash. */
  async #hearFollowUps(): Promise<void> {
    const { messenger, servers } = this.#world
    for (const server of servers) if (server.hasEnded) await server.start()
    await messenger.waitFor(() => this.#unheard().length === 0, 'the follow-ups', CRASH_LIMIT_MS).catch(() => undefined)
    await this.#writeDown()
  }

  /** Chats that received no follow-up. */
  #unheard(): number[] {
    const sent = this.#world.messenger.sent()
    const times = (chat: number) => sent.filter((each) => each.chatId === idOf(chat) && each.text === FOLLOW_UP).length
    return this.#followedUp.filter((chat) => times(chat) !== 1)
  }

  /** Failures beyond what the judge of all kills sees. */
  misdone(): string[] {
    return [...this.#complaints, ...this.#unheard().map((chat) => `the silence of chat ${chat} was not broken once`)]
  }

  /** Sets up what a failpoint needs. @returns a customer who is to write while the agent is paused */
  async #prepare(label: Failpoint): Promise<number | undefined> {
    if (TAKING_OVER.includes(label)) await this.#dieWithWorkInHand()
    if (RESUMING.includes(label))
      return this.#whileDown(
        (chatId) => sql`update conversations set status = 'paused',
      pause_epoch = pause_epoch + 1, resume_at = now() + ${PAUSE_MS} * interval '1 millisecond' where external_chat_id = ${chatId}`,
      )
    if (FOLLOWING_UP.includes(label)) {
      const chat = await this.#whileDown((chatId) => planFollowUpAt(sql`now()`, sql`c.external_chat_id = ${chatId}`))
      this.#followedUp.push(chat)
    }
    return undefined
  }

  /** While no server runs, makes something due in an idle conversation. */
  async #whileDown(change: (chatId: string) => ReturnType<typeof sql>): Promise<number> {
    const chat = this.#known.pop()
    if (chat === undefined) throw new Error('there is no conversation at rest')
    for (const server of this.#world.servers) await server.kill()
    await this.#world.alter((db) => change(idOf(chat)).execute(db))
    return chat
  }

  async #dieWithWorkInHand(): Promise<void> {
    const { model, servers } = this.#world
    const asked = Promise.withResolvers<void>()
    model.reply(() => {
      asked.resolve()
      return { failure: 'hang' }
    })
    for (const server of servers) if (server.hasEnded) await server.start()
    for (let each = 0; each < 3; each++) this.#say(this.#chats++, 0)
    await asked.promise
    await sleep(STIMULUS_MS)
    for (const server of servers) await server.kill()
  }

  /** Two messages of one customer after another: the second comes while the first is being answered. */
  async #writeUntilDead(victim: ServerProcess, label: Failpoint): Promise<void> {
    for (const until = Date.now() + CRASH_LIMIT_MS; !victim.hasEnded && Date.now() < until; ) {
      if (!ONCE_A_STEP.includes(label)) {
        const chat = this.#say(this.#chats++, 0)
        await sleep(STIMULUS_MS / 2)
        this.#say(chat, 1)
      }
      await sleep(STIMULUS_MS)
    }
  }

  #say(chat: number, number: number): number {
    const text = `c${chat}n${number}`
    this.customerMessages.set(text, this.#world.messenger.say(chat, text))
    return chat
  }
}

/** In two parts, each part unique. */
function answer(request: { messages: { content?: unknown }[] }) {
  const { text, delayMs } = echo(request)
  return { text: `${text}\n\nAsk me more, ${tokensOf(text).join(' and ').replaceAll(/[cn]/g, '/')}.`, delayMs }
}

function idOf(chat: number): string {
  return chatIdOf('telegram', chat)
}

if (import.meta.main) {
  const [times = '20', only, names] = process.argv.slice(2)
  const labels = names ? MESSAGE_FAILPOINTS.filter((label) => names.split(',').includes(label)) : MESSAGE_FAILPOINTS
  for (const engine of only ? [only] : ['embedded', 'postgres']) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const fresh = postgres && (await createDatabase(postgres.url))
    const startedAt = Date.now()
    const report = await crashEverywhere({ databaseUrl: fresh?.url, times: Number(times), labels })
    const { complaints, ...figures } = report
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    console.log(engine, figures, `${seconds} s`, complaints.length === 0 ? 'all promises hold' : complaints)
    if (complaints.length > 0) process.exitCode = 1
    await fresh?.drop()
    await postgres?.stop()
  }
  process.exit()
}
