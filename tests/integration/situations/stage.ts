// A whole server with customers on Telegram and owners calling the public functions, on which situations are played, and the question that
// is asked after each: does the product say why the agent answered or did not, and is that the true cause?
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Llm } from '#server/integrations/llm/llm.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import type { Conversation, Message, PauseReason } from '#shared/messaging/conversations.ts'
import type { MessageExplanation } from '#shared/messaging/explanations.ts'
import type { GateName, TraceGate, TurnTrace } from '#shared/messaging/trace.ts'
import { api, type Person, type StartOptions, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { echo, type Model, scriptedLlm } from '#tests/pipeline-world.ts'
import { draw, drawExplanation, LANGUAGES, type Language, textAt } from './screen.ts'

/** A user's agent on a Telegram bot. */
export type Shop = {
  owner: Person
  token: string
  agentId: Id<'agents'>
  connectionId: Id<'channelConnections'>
  organizationId: Id<'organizations'>
}

/** A chat by its id in the channel. */
type Chat = number | string

/** Expected reason why a turn was answered, or not. */
export type Cause = {
  /** `replied`, or the code of the reason that kept the agent from answering. */
  outcome: string
  /** The rule that stopped the turn; left out: all have passed. */
  stoppedAt?: GateName
  /** Inputs of the last rule that was checked. */
  facts?: TraceGate['facts']
  /** Codes of the team-only lines in the conversation, oldest first; left out: none. */
  lines?: string[]
  /** Why the agent is silent afterwards; left out: it is not. */
  pausedFor?: PauseReason
}

/** A message, and what "Why?" opens for it. */
export type Explained = { message: Message; explanation: MessageExplanation }

/** How far the timestamps of rows are moved: longer than every wait of the product. */
const LONG = sql`interval '1 day'`

/** One server for the situations of a file. */
export class Stage {
  model: Model = echo
  readonly app: TestApp
  readonly telegram: FakeTelegram
  #chat = 1000

  private constructor(app: TestApp, telegram: FakeTelegram) {
    this.app = app
    this.telegram = telegram
  }

  /** Starts a server with a scripted model; other services as given. */
  static async open({ overrides, ...options }: StartOptions = {}): Promise<Stage> {
    const telegram = await startFakeTelegram()
    const llm: Llm = scriptedLlm((request) => stage.model(request))
    const app = await startApp({
      ...options,
      telegram,
      config: { publicUrl: 'https://parley.example', hasPublicUrl: true, ...options.config },
      overrides: { llm, log: createLogger(process.env.LOG_LEVEL ?? 'silent'), ...overrides },
    })
    telegram.webhookOrigin = () => app.url
    const stage = new Stage(app, telegram)
    return stage
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.telegram.close()
  }

  /** A new owner with one agent on a bot. */
  async openShop(settings: Partial<AgentSettings> = {}): Promise<Shop> {
    const owner = await this.app.signUp()
    const { _id: agentId } = await owner.http.mutation(api.agents.create, { name: 'Helper' })
    if (Object.keys(settings).length > 0) {
      await owner.http.mutation(api.agents.update, { id: agentId, patch: settings })
    }
    const { token } = this.telegram.addBot()
    const connection = await owner.http.action(api.channels.telegram.provision, { agentId, botToken: token })
    return { owner, token, agentId, connectionId: connection._id, organizationId: owner.organization._id }
  }

  /** The next customer. */
  newChat(): number {
    this.#chat += 1
    return this.#chat
  }

  /** A customer writes, and everything that follows at once has settled. */
  async says(shop: Shop, chat: number, text: string): Promise<void> {
    await this.sends(shop, chat, text)
    await this.app.settle()
  }

  /** A customer writes, and the server has acknowledged it. */
  async sends(shop: Shop, chat: number, text: string): Promise<void> {
    this.telegram.customerSays(shop.token, { chatId: chat, firstName: 'Anna' }, text)
    await this.telegram.waitFor(() => this.telegram.isTaken(shop.token), 'the message to be taken')
  }

  /** Messages that the customer has received. */
  heard(chat: Chat): string[] {
    return this.telegram.sentTo(chat).map(({ text }) => text)
  }

  /** Passes any time that turns, pauses and follow-ups wait for. */
  async wait(chat: Chat): Promise<void> {
    const { id } = await this.#row(chat)
    await this.app.database.system('test: time passes', async (db) => {
      await sql`update conversations set resume_at = resume_at - ${LONG} where id = ${id}`.execute(db)
      await sql`update conversation_follow_ups set due_at = due_at - ${LONG} where conversation_id = ${id}`.execute(db)
      await sql`update turns set not_before = now() where conversation_id = ${id} and status = 'pending'`.execute(db)
    })
    await this.app.settle()
  }

  /** Makes all messages this many minutes older. */
  async silence(chat: Chat, minutes: number): Promise<void> {
    const { id } = await this.#row(chat)
    await this.app.database.system('test: time passes', (db) =>
      sql`update messages set created_at = created_at - ${minutes}::int * interval '1 minute' where conversation_id = ${id}`.execute(
        db,
      ),
    )
  }

  async conversation(shop: Shop, chat: Chat): Promise<Conversation> {
    const { id } = await this.#row(chat)
    return shop.owner.http.query(api.conversations.get, { conversationId: id })
  }

  /** As in the inbox, oldest first. */
  async messages(shop: Shop, chat: Chat): Promise<Message[]> {
    const { id: conversationId } = await this.#row(chat)
    const paginationOpts = { numItems: 100, cursor: null }
    const { page } = await shop.owner.http.query(api.conversations.messages, { conversationId, paginationOpts })
    return page.toReversed()
  }

  /** What "Why?" opens for each message of a conversation, oldest first; a customer's message always has something. */
  async explanations(shop: Shop, chat: Chat): Promise<Explained[]> {
    const asked = (await this.messages(shop, chat)).filter(({ author, turnId }) => author === 'customer' || turnId)
    return Promise.all(
      asked.map(async (message) => {
        const explanation = await shop.owner.http.query(api.conversations.explainMessage, { messageId: message._id })
        return { message, explanation }
      }),
    )
  }

  /** The traces that can be opened from the messages of a conversation, oldest first. */
  async records(shop: Shop, chat: Chat): Promise<TurnTrace[]> {
    const turns = (await this.explanations(shop, chat))
      .flatMap(({ explanation }) => explanation.turns)
      .filter(({ hasRecord }) => hasRecord)
    const ids = [...new Set(turns.toSorted((one, other) => one.at - other.at).map(({ _id }) => _id))]
    const records = await Promise.all(ids.map((turnId) => shop.owner.http.query(api.conversations.why, { turnId })))
    return records.filter((record) => record !== null)
  }

  /**
   * Fails unless the newest turn has a trace of its cause, and the conversation and "Why?" explain it in every language in texts of
   * their own. @returns the trace
   */
  async expectExplained(shop: Shop, chat: Chat, cause: Cause): Promise<TurnTrace> {
    const trace = (await this.records(shop, chat)).at(-1)
    if (!trace) throw new Error('no turn has left a record')
    const messages = await this.messages(shop, chat)
    const conversation = await this.conversation(shop, chat)
    expect({
      outcome: trace.outcome,
      stoppedAt: trace.gates.filter(({ hasPassed }) => !hasPassed).map(({ gate }) => gate),
      lines: codesOf(messages),
      pausedFor: conversation.pauseReason,
    }).toEqual({
      outcome: cause.outcome,
      stoppedAt: cause.stoppedAt ? [cause.stoppedAt] : [],
      lines: cause.lines ?? [],
      pausedFor: cause.pausedFor ?? null,
    })
    if (cause.facts) expect(trace.gates.at(-1)?.facts).toMatchObject(cause.facts)
    const explained = await this.explanations(shop, chat)
    for (const language of LANGUAGES) await expectInWords(language, { trace, messages, conversation, explained })
    return trace
  }

  #row(chat: Chat) {
    return this.app.database.system('test: look', (db) =>
      db
        .selectFrom('conversations')
        .where('external_chat_id', '=', String(chat))
        .select('id')
        .executeTakeFirstOrThrow(() => new Error(`no messages in chat ${chat}`)),
    )
  }
}

/** Codes of team-only lines and of failed answers. */
function codesOf(messages: Message[]): string[] {
  return messages.flatMap(({ reason }) => reason ?? [])
}

type Shown = { trace: TurnTrace; messages: Message[]; conversation: Conversation; explained: Explained[] }

async function expectInWords(language: Language, { trace, messages, conversation, explained }: Shown): Promise<void> {
  const { log, why } = await draw(language, { trace, messages })
  const text = (key: string) => textAt(language, key)
  const outcomeText = (code: string) => text(`conversations.outcome.${code}`)
  expect(why).toContain(trace.outcome === 'replied' ? text('why.replied') : outcomeText(trace.outcome))
  for (const { gate, facts } of trace.gates) {
    expect(why).toContain(text(`why.gates.name.${gate}`))
    for (const fact of Object.keys(facts)) expect(why).toContain(`${text(`why.facts.${fact}`)}: `)
  }
  for (const { failure } of trace.attempts) {
    if (failure !== null)
      expect(why).toContain(failure === 'aborted' ? text('why.attempts.aborted') : outcomeText(failure))
  }
  for (const { failure } of trace.media ?? []) {
    if (failure !== null) expect(why).toContain(text(`conversations.attachment.failed.${failure}`))
  }
  for (const code of codesOf(messages)) expect(log).toContain(outcomeText(code))
  for (const { error } of messages.flatMap(({ deliveries }) => deliveries)) {
    if (error !== null) text(`conversations.delivery.reason.${error.split(': ')[0]}`)
  }
  if (conversation.pauseReason) text(`conversations.banner.reason.${conversation.pauseReason}`)
  const [unknown = ''] = outcomeText('other').split('{{code}}')
  expect(log + why).not.toContain(unknown)
  for (const { message, explanation } of explained) {
    if (message.author !== 'customer') continue
    expect(explanation.standing?.kind, message.text).not.toBe('unrecorded')
    const text = await drawExplanation(language, explanation)
    expect(text, message.text).not.toContain(unknown)
    expect(text.trim(), message.text).not.toBe('')
  }
}
