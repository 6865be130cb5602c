// One seed: a conversation in which customer, operators, phone, timers, servers and settings act in random order, merged at times with
// another one; and what must hold at the end.
import { setTimeout } from 'node:timers/promises'
import type { JSONValue } from 'convex/values'
import * as agents from '#server/domain/agents/agents.functions.ts'
import * as contacts from '#server/domain/messaging/contacts/contacts.functions.ts'
import * as bulk from '#server/domain/messaging/inbox/bulk.functions.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import * as threads from '#server/domain/messaging/inbox/threads.functions.ts'
import type { Page } from '#server/platform/functions/paginate.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import type { Bulk, ConversationFolder, Message } from '#shared/messaging/conversations.ts'
import { type Random, seededRandom } from '#tests/random.ts'
import type { Known } from './evidence.ts'
import type { Fixture } from './fixture.ts'
import { type FailingSeed, judge } from './judge.ts'
import { CLOSED, HANDOFF, OPEN } from './manners.ts'
import type { Order } from './order.ts'
import type { Standing } from './poller.ts'
import { awaitAnswer, comeToRest } from './rest.ts'
import type { Play, Voice } from './stage.ts'
import type { SimulationWorld } from './world.ts'

/** State of one seed: what it plays, and the steps so far. */
type Script = {
  world: SimulationWorld
  play: Play
  steps: string[]
  /** Number of customer messages so far. */
  messageCount: number
  /** The second is created when it is first needed, with another contact. */
  chats: Chat[]
  /** While they are merged. */
  threadId: string | null
}

/** A conversation that is being played. */
type Chat = Known & {
  script: Script
  voice: Voice
  /** Conversation id, once it was looked up. */
  id: string | undefined
  updates: object[]
  /** The customer's messages in this chat. */
  numbers: string[]
  /** Silent only because it was ended or deleted: the customer's next message opens the conversation again. */
  isClosed: boolean
  /** Not restored since it was deleted, except by the customer. */
  isDeleted: boolean
}

type Step = { name: string; weight: number; run(chat: Chat): Promise<void> }

const STEPS: Step[] = [
  { name: 'customer', weight: 30, run: (chat) => say(chat) },
  { name: 'customer calls a person', weight: 4, run: (chat) => say(chat, ' operator please') },
  { name: 'customer calls the agent', weight: 4, run: (chat) => say(chat, ' bot') },
  { name: 'customer says a number', weight: 4, run: sayNumber },
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
  { name: 'end', weight: 3, run: (chat) => silence(chat, conversations.end, {}) },
  { name: 'end, and the customer rates', weight: 5, run: endAndRate },
  { name: 'archive', weight: 3, run: (chat) => put(chat, 'archived') },
  { name: 'delete', weight: 4, run: remove },
  { name: 'restore', weight: 4, run: (chat) => put(chat, 'inbox') },
  { name: 'assign', weight: 3, run: assign },
  { name: 'merge', weight: 4, run: merge },
  { name: 'separate', weight: 2, run: separate },
  { name: 'time passes', weight: 10, run: ({ script }) => passTime(script) },
  { name: 'the owner is lost', weight: 5, run: ({ script: { world, play } }) => world.loseOwner(play) },
  { name: 'the server is replaced', weight: 1, run: ({ script: { world, play } }) => world.replace(play) },
  { name: 'settings are saved', weight: 10, run: saveSettings },
  {
    name: 'an answer is written',
    weight: 10,
    run: ({ script: { world, play }, voice }) => awaitAnswer(world, play, voice.chatId),
  },
  {
    name: 'all is quiet',
    weight: 10,
    run: async ({ script: { world, play }, voice }) => void (await comeToRest(world, play, voice.chatId)),
  },
]
type Change = (random: Random) => Partial<AgentSettings>

/** Hours, phrases and buffers that change while conversations of the agent are under way. */
const CHANGES: Change[] = [
  (random) => ({ temperature: random.below(20) / 10 }),
  (random) => ({ buffer: { seconds: random.pick([0, 0, 20]) } }),
  (random) => ({
    availability: random.pick([OPEN, { ...CLOSED, outside: 'silent' }, { ...CLOSED, outside: 'handoff' }]),
  }),
  (random) => ({ handoff: { ...HANDOFF, text: random.pick(['', HANDOFF.text]) } }),
  (random) => ({
    handoff: { ...HANDOFF, customer: random.pick([HANDOFF.customer, { stop: ['operator'], resume: [] }]) },
  }),
]

/** How often both chats are merged before anything else, so that the effects of one on the other have time to show. */
const MERGED_FIRST = 0.2
/** Between two steps, in ms. */
const PAUSES = [0, 0, 0, 2, 12]
const WEIGHTS = STEPS.flatMap((step) => Array.from({ length: step.weight }, () => step))

/**
 * Plays a seed: the same steps each time, at the same moments as far as they are ours. The order in which servers and the database act
 * between them is recorded or imposed by `order`. `play` distinguishes plays of one seed, `station` is its own.
 * @returns what is wrong; null when all promises hold
 */
export async function playSeed(
  world: SimulationWorld,
  { seed, play: number, order, station }: { seed: number; play: number; order: Order; station: Fixture },
): Promise<FailingSeed | null> {
  const random = seededRandom(seed)
  const names = ['', '/other'].map((which) => `seed-${seed}-${number}${which}`)
  const voices = names.map((chatId): Voice => ({ chatId, sent: [], isSilenced: false, mayBeAsked: false }))
  const play: Play = { seed, voices, station, random, order, isPartClaimed: false }
  const script: Script = { world, play, steps: [], messageCount: 0, chats: [], threadId: null }
  world.enter(play)
  try {
    await takeSteps(script)
    const complaints = await judgeAll(script)
    // Everything silent is resumed: what was lost in a pause shows then.
    for (const chat of script.chats) if (chat.isDeleted) await put(chat, 'inbox')
    if (random.chance(0.5)) await passTime(script)
    await unsilenceAll(script)
    complaints.push(...(await judgeAll(script)).map((complaint) => `after the return: ${complaint}`))
    return complaints.length === 0 ? null : { seed, complaints, steps: script.steps, order: order.events }
  } finally {
    world.stage.leave(play)
  }
}

async function takeSteps(script: Script): Promise<void> {
  const { random } = script.play
  const first = await beginChat(script)
  if (random.chance(MERGED_FIRST)) {
    script.steps.push('merge')
    await merge(first)
  }
  const steps = 4 + random.below(12)
  for (let step = 0; step < steps; step++) {
    const { name, run } = random.pick(WEIGHTS)
    const chat = random.pick(script.chats)
    script.steps.push(chat === script.chats[0] ? name : `${name}, in the other chat`)
    await run(chat)
    const pauseMs = random.pick(PAUSES)
    if (pauseMs > 0) await setTimeout(pauseMs)
  }
}

async function judgeAll({ world, play, chats, threadId }: Script): Promise<string[]> {
  const complaints: string[] = []
  for (const chat of chats) {
    const own = threadId === null ? chat.numbers : chats.flatMap(({ numbers }) => numbers)
    const expected = own.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    const shown = chats.length > 1 ? { expected, read: () => readShown(chat) } : null
    complaints.push(...(await judge({ ...chat, world, play, shown })))
  }
  return complaints
}

/** A customer writes for the first time. */
async function beginChat(script: Script): Promise<Chat> {
  const voice = script.play.voices[script.chats.length]
  if (!voice) throw new Error('there are no more chats')
  const known: Known = { returnedAt: 0, settledAt: 0, answeredAt: 0 }
  const chat: Chat = {
    script,
    voice,
    id: undefined,
    updates: [],
    numbers: [],
    isClosed: false,
    isDeleted: false,
    ...known,
  }
  script.chats.push(chat)
  await say(chat)
  return chat
}

async function say(chat: Chat, words = ''): Promise<void> {
  const number = `m${++chat.script.messageCount}`
  const text = `${number}.${words}`
  const update = messageOf(chat, number, text)
  chat.numbers.push(number)
  // A customer may resume the agent; what it says from here on is no complaint.
  const mayResume = text.includes('bot')
  if (chat.isClosed || mayResume) await giveVoice(chat)
  await deliver(chat, update)
  chat.isClosed = false
  if (mayResume) await settle(chat)
}

function messageOf(chat: Chat, key: string, text: string): object {
  const { chatId } = chat.voice
  const sender = { externalId: chatId, name: chatId, username: null, language: 'en' }
  const update = { kind: 'message', externalKey: `${chatId}/${key}`, chatId, sender, text }
  chat.updates.push(update)
  return update
}

/** A rating, if one was asked for and no other message followed; otherwise a message like any other. */
async function sayNumber(chat: Chat): Promise<void> {
  const update = messageOf(chat, `number ${chat.updates.length}`, '4')
  if (chat.isClosed) await giveVoice(chat)
  await deliver(chat, update)
  chat.isClosed = (await look(chat)).status === 'ended'
}

/** Pending parts are sent first, or in between. */
async function endAndRate(chat: Chat): Promise<void> {
  const { world, play } = chat.script
  const { random } = play
  await silence(chat, conversations.end, {})
  await passTime(chat.script)
  if (random.chance(0.7)) await comeToRest(world, play, chat.voice.chatId)
  await sayNumber(chat)
  if (random.chance(0.4)) await sayNumber(chat)
}

function deliver({ script: { world, play } }: Chat, update: object | undefined): Promise<void> {
  return world.deliver(play, { ...update, attachments: [] })
}

function giveVoice({ script, voice }: Chat): Promise<void> {
  return script.play.order.act('may be heard', () => {
    voice.isSilenced = false
  })
}

function look({ script: { world, play }, voice }: Chat): Promise<Standing> {
  return world.look(play, voice.chatId)
}

async function idOf(chat: Chat): Promise<string> {
  chat.id ??= (await look(chat)).id
  return chat.id
}

/** The chat that is merged with it now. */
function fellows(chat: Chat): Chat[] {
  const { chats, threadId } = chat.script
  return threadId === null ? [] : chats.filter((each) => each !== chat)
}

/** Chats that the team's steps also affect: deleted ones stay out. */
async function fellowsAt(chat: Chat): Promise<Chat[]> {
  const all = fellows(chat)
  const standings = await Promise.all(all.map(look))
  return all.filter((_, index) => standings[index]?.folder !== 'deleted')
}

/** One of the members calls. */
function operate({ script: { world, play } }: Chat, mutation: unknown, args: Record<string, JSONValue>) {
  return world.call(play, { mutation, args, by: play.random.pick(play.station.memberIds) })
}

async function replyElsewhere(chat: Chat): Promise<void> {
  const { chatId } = chat.voice
  const key = `${chatId}/phone/${chat.script.steps.length}`
  const text = 'operator: from the phone'
  const others = await fellowsAt(chat)
  await deliver(chat, { kind: 'humanReply', externalKey: key, chatId, externalMessageId: key, text })
  await answerFor(others)
  for (const each of [chat, ...others]) {
    each.isClosed = false
    await expectSilence(each)
  }
}

/** By a phrase, which only some agents know: the others fall silent. */
async function giveBack(chat: Chat): Promise<void> {
  const others = await fellowsAt(chat)
  for (const each of [chat, ...others]) await rememberReturn(each)
  const args = { conversationId: await idOf(chat), text: 'operator: over to you' }
  const isSent = !(await isRefused(operate(chat, conversations.reply, args)))
  if (isSent) await answerFor(others)
  for (const each of isSent ? [chat, ...others] : [chat]) await settle(each)
}

/** Once the caller's request has returned, nothing more of an agent may be sent. */
async function silence(chat: Chat, mutation: unknown, args: Record<string, JSONValue>): Promise<void> {
  const others = await fellowsAt(chat)
  if (await isRefused(operate(chat, mutation, { conversationId: await idOf(chat), ...args }))) return
  chat.isClosed = mutation === conversations.end
  if (mutation === conversations.reply) await answerFor(others)
  // Ended conversations stay ended in a pause.
  if (mutation !== conversations.pause) for (const each of others) each.isClosed = chat.isClosed
  for (const each of [chat, ...others]) await expectSilence(each, { mayBeAsked: mutation === conversations.end })
}

/** A person has answered all questions so far, in the chat that is merged with theirs. */
async function answerFor(chats: Chat[]): Promise<void> {
  for (const chat of chats) chat.answeredAt = (await look(chat)).newest
}

/**
 * Parts that the channel had accepted before are allowed: they cannot be recalled. `isSettled`: all earlier calls for a person are
 * settled. `mayBeAsked`: the customer may be asked for a rating.
 */
async function expectSilence(chat: Chat, { isSettled = true, mayBeAsked = false } = {}): Promise<void> {
  let { isSending } = isSettled ? await settle(chat) : await look(chat)
  while (isSending) ({ isSending } = await look(chat))
  await chat.script.play.order.act('is to be silent', () => {
    chat.voice.isSilenced = true
    chat.voice.mayBeAsked = mayBeAsked
  })
}

/** Conversations merged with it resume too, unless they have ended. */
async function unsilence(chat: Chat, mutation: unknown): Promise<void> {
  const others: Chat[] = []
  for (const each of await fellowsAt(chat)) if ((await look(each)).status !== 'ended') others.push(each)
  for (const each of [chat, ...others]) await rememberReturn(each)
  if (await isRefused(operate(chat, mutation, { conversationId: await idOf(chat) }))) return
  for (const each of [chat, ...others]) {
    each.isClosed = false
    await settle(each)
  }
}

async function unsilenceAll({ chats }: Script): Promise<void> {
  for (const chat of chats) await unsilence(chat, conversations.resume)
}

/** A pause outlasts a deletion, and still silences the agent after a restore. */
async function remove(chat: Chat): Promise<void> {
  await callBulk(chat, bulk.place, { folder: 'deleted' })
  for (const each of [chat, ...fellows(chat)]) {
    each.isDeleted = true
    each.isClosed ||= !each.voice.isSilenced
    await expectSilence(each, { isSettled: false })
  }
}

/** Restores a deleted conversation, to any folder. */
async function put(chat: Chat, folder: ConversationFolder): Promise<void> {
  for (const each of [chat, ...fellows(chat)]) {
    if (each.isDeleted) await rememberReturn(each, { isHeard: each.isClosed })
    each.isDeleted = false
  }
  await callBulk(chat, bulk.place, { folder })
}

/** Assigns it to one or another member, or to no one: the assignee does not decide who answers. */
function assign(chat: Chat): Promise<void> {
  const { random, station } = chat.script.play
  return callBulk(chat, bulk.assign, { assigneeId: random.pick([...station.memberIds, null]) })
}

/** Merges both chats. The contact of the other is linked as the same person on first use. */
async function merge(chat: Chat): Promise<void> {
  const { script } = chat
  if (script.chats.length === 1) {
    await beginChat(script)
    const [survivorId = '', otherId = ''] = await listCustomers(script)
    await operate(chat, contacts.merge, { survivorId, otherId })
  }
  const args = { conversationIds: await Promise.all(script.chats.map(idOf)) }
  await isRefused(
    operate(chat, threads.merge, args).then((merged) => {
      script.threadId = (merged as { threadId: string }).threadId
    }),
  )
}

async function separate(chat: Chat): Promise<void> {
  const { threadId } = chat.script
  if (threadId === null) return
  await operate(chat, threads.separate, { threadId })
  chat.script.threadId = null
}

/** @throws when the conversation is not changed */
async function callBulk(chat: Chat, mutation: unknown, args: Record<string, JSONValue>): Promise<void> {
  const results = await operate(chat, mutation, { conversationIds: [await idOf(chat)], ...args })
  const [result] = results as Bulk<unknown>
  if (!result || result.error !== null) throw new Error(`the conversation was not changed: ${result?.error}`)
}

/** The customers' messages as a member reads them in the conversation, oldest first. */
async function readShown(chat: Chat): Promise<string[]> {
  const args = { conversationId: await idOf(chat), paginationOpts: { numItems: 100, cursor: null } }
  const { page } = (await operate(chat, conversations.messages, args)) as Page<Message>
  return page.flatMap(({ author, text }) => (author === 'customer' ? (text.match(/^m\d+/) ?? []) : [])).reverse()
}

/** The contacts of both chats, in their order. */
async function listCustomers({ world, play: { station, voices } }: Script): Promise<string[]> {
  const rows = await world.read((db) =>
    db
      .selectFrom('customers')
      .where('connection_id', '=', station.connectionId)
      .select(['id', 'external_id'])
      .execute(),
  )
  return voices.flatMap(({ chatId }) => rows.find((row) => row.external_id === chatId)?.id ?? [])
}

/** The state of the conversation just before the agent may resume and, unless a pause still silences it, be heard again. */
async function rememberReturn(chat: Chat, { isHeard } = { isHeard: true }): Promise<Standing> {
  if (isHeard) await giveVoice(chat)
  const standing = await look(chat)
  if (standing.status !== 'active') chat.returnedAt = standing.newest
  return standing
}

/** Settles all calls for a person so far. */
async function settle(chat: Chat): Promise<Standing> {
  const standing = await look(chat)
  chat.settledAt = standing.newest
  return standing
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

/** A pause may end with it, in one chat also for the one merged with it; a pause without an end goes on. */
async function passTime({ world, play, chats }: Script): Promise<void> {
  const standings = await Promise.all(chats.map(look))
  const isHeard = standings.some(({ isResuming }) => isResuming)
  for (const chat of chats) await rememberReturn(chat, { isHeard })
  await world.passTime(play, { isTimersToo: true })
}

async function saveSettings(chat: Chat): Promise<void> {
  const { random, station } = chat.script.play
  const patch = random.pick(CHANGES)(random)
  const isDraft = random.chance(0.3)
  await isRefused(operate(chat, agents.update, { id: station.agentId, patch: patch as JSONValue, isDraft }))
}
