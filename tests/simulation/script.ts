// One seed: a conversation in which customer, operator, phone, timers, servers and settings act in a random order, and what has to be
// true of it at the end.
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import * as agents from '#server/features/agents/agents.functions.ts'
import * as conversations from '#server/features/conversations/conversations.functions.ts'
import { AppError } from '#shared/errors.ts'
import { type Random, seededRandom } from '#tests/random.ts'
import type { SimulationWorld, Station } from './world.ts'

/** What happened, in order; printed when the seed is found guilty. */
type Log = string[]

type Chat = {
  world: SimulationWorld
  station: Station
  random: Random
  chatId: string
  log: Log
  updates: object[]
  said: number
  /** The customer's next word opens the conversation again. */
  isEnded: boolean
}

type Step = { name: string; weight: number; run(chat: Chat): Promise<void> }

const STEPS: Step[] = [
  { name: 'customer', weight: 30, run: (chat) => say(chat, `m${++chat.said}.`) },
  { name: 'customer calls a person', weight: 4, run: (chat) => say(chat, `m${++chat.said}. operator please`) },
  { name: 'customer calls the agent', weight: 4, run: (chat) => say(chat, `m${++chat.said}. bot`) },
  { name: 'the same update again', weight: 5, run: (chat) => deliver(chat, chat.updates.at(-1)) },
  {
    name: 'operator replies',
    weight: 6,
    run: (chat) => silence(chat, conversations.reply, { text: 'operator: hello' }),
  },
  { name: 'operator gives it back', weight: 4, run: giveBack },
  { name: 'reply from the phone', weight: 4, run: replyElsewhere },
  { name: 'pause', weight: 7, run: (chat) => silence(chat, conversations.pause, {}) },
  { name: 'pause for a time', weight: 5, run: (chat) => silence(chat, conversations.pause, { resumeAfterMs: 60_000 }) },
  { name: 'resume', weight: 10, run: (chat) => unsilence(chat, conversations.resume) },
  { name: 'end', weight: 2, run: (chat) => silence(chat, conversations.end, {}) },
  { name: 'time passes', weight: 10, run: passTime },
  { name: 'the owner is lost', weight: 5, run: loseOwner },
  { name: 'settings are saved', weight: 3, run: saveSettings },
  { name: 'all is quiet', weight: 10, run: async (chat) => void (await comeToRest(chat, await idOf(chat))) },
]
const WEIGHTS = STEPS.flatMap((step) => Array.from({ length: step.weight }, () => step))

/** Plays a seed. @returns what is wrong, and the log; null when all promises hold */
export async function playSeed(world: SimulationWorld, stations: Station[], seed: number): Promise<string | null> {
  const random = seededRandom(seed)
  const chatId = `seed-${seed}`
  const chat: Chat = {
    world,
    station: random.pick(stations),
    random,
    chatId,
    log: [],
    updates: [],
    said: 0,
    isEnded: false,
  }
  await say(chat, `m${++chat.said}.`)
  const steps = 4 + random.below(12)
  for (let step = 0; step < steps; step++) {
    const { name, run } = random.pick(WEIGHTS)
    chat.log.push(name)
    await run(chat)
  }
  const complaints = await judge(chat)
  return complaints.length === 0 ? null : `seed ${seed}: ${complaints.join('; ')}\n  ${chat.log.join(' → ')}`
}

async function say(chat: Chat, text: string): Promise<void> {
  const sender = { externalId: chat.chatId, name: 'Customer', username: null, language: 'en' }
  const update = { kind: 'message', externalKey: `${chat.chatId}/${chat.said}`, chatId: chat.chatId, sender, text }
  chat.updates.push(update)
  // A customer may give the agent its voice back; what it says from here on is not to be complained of.
  if (chat.isEnded || text.includes('bot')) chat.world.channel.silenced.delete(chat.chatId)
  await deliver(chat, update)
  chat.isEnded = false
}

function deliver(chat: Chat, update: object | undefined): Promise<void> {
  return chat.world.deliver(chat.station, { ...update, attachments: [] })
}

async function replyElsewhere(chat: Chat): Promise<void> {
  const key = `${chat.chatId}/phone/${chat.log.length}`
  const text = 'operator: from the phone'
  await deliver(chat, { kind: 'humanReply', externalKey: key, chatId: chat.chatId, externalMessageId: key, text })
  chat.isEnded = false
  await expectSilence(chat)
}

/** By a phrase, which only some agents know: the others fall silent. */
async function giveBack(chat: Chat): Promise<void> {
  chat.world.channel.silenced.delete(chat.chatId)
  const conversationId = await idOf(chat)
  await isRefused(chat.world.call(conversations.reply, { conversationId, text: 'operator: over to you' }))
}

/** From the moment that the caller is told, nothing more of an agent may be sent. */
async function silence(chat: Chat, mutation: unknown, args: Record<string, unknown>): Promise<void> {
  const conversationId = await idOf(chat)
  if (await isRefused(chat.world.call(mutation, { conversationId, ...args }))) return
  chat.isEnded = mutation === conversations.end
  await expectSilence(chat)
}

/** What had gone out to the channel before is let through: nobody can call it back. */
async function expectSilence(chat: Chat): Promise<void> {
  const conversationId = await idOf(chat)
  while (await chat.world.isSending(conversationId)) await setTimeout(1)
  chat.world.channel.silenced.add(chat.chatId)
}

async function unsilence(chat: Chat, mutation: unknown): Promise<void> {
  chat.world.channel.silenced.delete(chat.chatId)
  await chat.world.call(mutation, { conversationId: await idOf(chat) })
  chat.isEnded = false
}

async function isRefused(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return false
  } catch (error) {
    if (error instanceof AppError) return true
    throw error
  }
}

async function passTime(chat: Chat): Promise<void> {
  // A pause may run out with it.
  chat.world.channel.silenced.delete(chat.chatId)
  await chat.world.passTime([await idOf(chat)], { isTimersToo: true })
}

async function loseOwner(chat: Chat): Promise<void> {
  await chat.world.loseOwner(await idOf(chat))
}

async function saveSettings(chat: Chat): Promise<void> {
  const temperature = chat.random.below(20) / 10
  const isDraft = chat.random.chance(0.3)
  await chat.world.call(agents.update, { id: chat.station.agentId, patch: { temperature }, isDraft })
}

async function idOf(chat: Chat): Promise<string> {
  const { id } = await chat.world.write((db) =>
    db.selectFrom('conversations').where('external_chat_id', '=', chat.chatId).select('id').executeTakeFirstOrThrow(),
  )
  return id
}

type Evidence = {
  status: string
  pause_reason: string | null
  busy_turns: number
  open_parts: number
  /** Something is to happen later. */
  waits: boolean
  unanswered: number
  /** Something stands after the customer's last word, an answer, a failure, a reason for silence; or the last turn's record tells. */
  is_explained: boolean
  replied_turns: number
  counted: number
}

/** Lets everything come to rest and holds it against the promises. */
async function judge(chat: Chat): Promise<string[]> {
  const conversationId = await idOf(chat)
  const evidence = await comeToRest(chat, conversationId)
  const sent = chat.world.channel.sent.filter((each) => each.chatId === chat.chatId)
  const spoken = sent.filter(({ text }) => !text.startsWith('operator:'))
  const answered = spoken.flatMap(({ text }) => text.match(/m\d+/g) ?? [])
  const complaints = [
    spoken.some(({ wasSilenced }) => wasSilenced) && 'the agent was heard after it had been silenced',
    new Set(answered).size < answered.length && `answered twice: ${answered.join(' ')}`,
    evidence.busy_turns > 0 && 'a turn never ends',
    evidence.open_parts > 0 && 'a part is never sent',
    evidence.status === 'active' && evidence.unanswered > 0 && !evidence.is_explained && 'silence without a reason',
    evidence.status === 'paused' && evidence.pause_reason === null && 'paused without a reason',
    evidence.counted !== evidence.replied_turns && `${evidence.replied_turns} answers, ${evidence.counted} counted`,
  ]
  return complaints.filter((complaint) => complaint !== false)
}

/** Looks after which a conversation that does not come to rest is judged as it is, and the time between two of them. */
const LOOKS = 400
const LOOK_PAUSE_MS = 15

/** Waits until nothing of a conversation is under way; what waits for a clock has its time come. */
async function comeToRest(chat: Chat, conversationId: string): Promise<Evidence> {
  for (let looked = 1; ; looked++) {
    const evidence = await look(chat.world, conversationId)
    if (looked >= LOOKS || (evidence.busy_turns === 0 && evidence.open_parts === 0)) return evidence
    if (evidence.waits) await chat.world.passTime([conversationId], { isTimersToo: false })
    await setTimeout(LOOK_PAUSE_MS)
  }
}

async function look(world: SimulationWorld, conversationId: string): Promise<Evidence> {
  const { rows } = await world.write((db) =>
    sql<Evidence>`
      select c.status, c.pause_reason,
        (select count(*)::int from turns t where t.conversation_id = c.id and t.status in ('pending', 'running')) as busy_turns,
        (select count(*)::int from outbox o where o.conversation_id = c.id and o.status in ('queued', 'claimed', 'sending')) as open_parts,
        exists (select from turns t where t.conversation_id = c.id and t.status = 'pending' and t.not_before > now())
          or exists (select from outbox o where o.conversation_id = c.id and o.status = 'queued' and o.not_before > now()) as waits,
        (select count(*)::int from messages m where m.conversation_id = c.id and m.author = 'customer'
          and m.sequence > c.answered_through) as unanswered,
        exists (select from messages m where m.conversation_id = c.id and m.author <> 'customer'
          and m.sequence > (select max(sequence) from messages q where q.conversation_id = c.id and q.author = 'customer'))
          or (select t.outcome in ('outside_hours', 'customer_limit', 'agent_limit') and exists (select from turn_traces r where r.turn_id = t.id)
            from turns t where t.conversation_id = c.id order by t.finished_at desc limit 1) as is_explained,
        (select count(*)::int from turns t where t.conversation_id = c.id and t.outcome = 'replied') as replied_turns,
        (select coalesce(sum(u.messages), 0)::int from usage_events u join turns t on t.id = u.source_id
          where t.conversation_id = c.id and u.category in ('agent_response', 'follow_up')) as counted
      from conversations c where c.id = ${conversationId}`.execute(db),
  )
  const [evidence] = rows
  if (!evidence) throw new Error('the conversation is gone')
  return evidence
}
