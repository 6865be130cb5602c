// One seed: a conversation in which customer, operator, phone, timers, servers and settings act in a random order, and what has to be
// true of it at the end.
import { setTimeout } from 'node:timers/promises'
import type { JSONValue } from 'convex/values'
import * as agents from '#server/features/agents/agents.functions.ts'
import * as bulk from '#server/features/conversations/bulk.functions.ts'
import * as conversations from '#server/features/conversations/conversations.functions.ts'
import type { AgentSettings } from '#shared/agent-settings.ts'
import type { Bulk, ConversationPlace } from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import { type Random, seededRandom } from '#tests/random.ts'
import { type Guilty, judge } from './judge.ts'
import type { Standing } from './lookout.ts'
import { CLOSED, HANDOFF, MANNERS, OPEN } from './manners.ts'
import type { Order } from './order.ts'
import { awaitAnswer, comeToRest } from './rest.ts'
import type { Play } from './stage.ts'
import type { SimulationWorld } from './world.ts'

/** A conversation that is being played. */
type Chat = {
  world: SimulationWorld
  play: Play
  /** Of the conversation, once it was looked up. */
  id: string | undefined
  /** The steps so far. */
  steps: string[]
  updates: object[]
  said: number
  /** Silent by its end or its deletion alone: the customer's next word opens the conversation again. */
  isClosed: boolean
  /** Not put back since it was deleted, unless by the customer. */
  isDeleted: boolean
  /** Sequence of the newest message when the agent last came back from a pause: reasons for silence before it explain nothing. */
  returnedAt: number
  /** Sequence of the newest message when a person, or the customer by their own words, last settled calls for a person. */
  settledAt: number
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
  { name: 'archive', weight: 3, run: (chat) => put(chat, 'archived') },
  { name: 'delete', weight: 4, run: remove },
  { name: 'restore', weight: 4, run: (chat) => put(chat, 'inbox') },
  { name: 'assign', weight: 3, run: assign },
  { name: 'time passes', weight: 10, run: passTime },
  { name: 'the owner is lost', weight: 5, run: ({ world, play }) => world.loseOwner(play) },
  { name: 'the server is replaced', weight: 1, run: ({ world, play }) => world.replace(play) },
  { name: 'settings are saved', weight: 10, run: saveSettings },
  { name: 'an answer is written', weight: 10, run: ({ world, play }) => awaitAnswer(world, play) },
  { name: 'all is quiet', weight: 10, run: async ({ world, play }) => void (await comeToRest(world, play)) },
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

/** Between two steps, milliseconds. */
const PAUSES = [0, 0, 0, 2, 12]
const WEIGHTS = STEPS.flatMap((step) => Array.from({ length: step.weight }, () => step))

/**
 * Plays a seed: the same steps each time, at the same moments as far as they are ours. In which order servers and the database act
 * between them is for `order` to note or to impose. `play` tells plays of one seed apart.
 * @returns what is wrong; null when all promises hold
 */
export async function playSeed(
  world: SimulationWorld,
  { seed, play: number, order }: { seed: number; play: number; order: Order },
): Promise<Guilty | null> {
  const random = seededRandom(seed)
  const chatId = `seed-${seed}-${number}`
  const station = await world.addStation(random.pick(MANNERS))
  const play: Play = { seed, chatId, station, random, order, sent: [], isSilenced: false, isPartClaimed: false }
  const chat: Chat = {
    world,
    play,
    id: undefined,
    steps: [],
    updates: [],
    said: 0,
    isClosed: false,
    isDeleted: false,
    returnedAt: 0,
    settledAt: 0,
  }
  world.enter(play)
  try {
    await takeSteps(chat)
    const complaints = await judge(chat)
    // Whoever is silent now comes back: whatever was lost in a pause shows then.
    if (chat.isDeleted) await put(chat, 'inbox')
    const back = random.pick([() => passTime(chat), () => unsilence(chat, conversations.resume)])
    await back()
    complaints.push(...(await judge(chat)).map((complaint) => `after the return: ${complaint}`))
    return complaints.length === 0 ? null : { seed, complaints, steps: chat.steps, order: order.events }
  } finally {
    world.stage.leave(play)
  }
}

async function takeSteps(chat: Chat): Promise<void> {
  const { random } = chat.play
  await say(chat, `m${++chat.said}.`)
  const steps = 4 + random.below(12)
  for (let step = 0; step < steps; step++) {
    const { name, run } = random.pick(WEIGHTS)
    chat.steps.push(name)
    await run(chat)
    const pauseMs = random.pick(PAUSES)
    if (pauseMs > 0) await setTimeout(pauseMs)
  }
}

async function say(chat: Chat, text: string): Promise<void> {
  const { chatId, order } = chat.play
  const sender = { externalId: chatId, name: chatId, username: null, language: 'en' }
  const update = { kind: 'message', externalKey: `${chatId}/${chat.said}`, chatId, sender, text }
  chat.updates.push(update)
  // A customer may give the agent its voice back; what it says from here on is not to be complained of.
  const mayResume = text.includes('bot')
  if (chat.isClosed || mayResume) await order.act('may be heard', () => giveVoice(chat))
  await deliver(chat, update)
  chat.isClosed = false
  if (mayResume) await settle(chat)
}

function deliver({ world, play }: Chat, update: object | undefined): Promise<void> {
  return world.deliver(play, { ...update, attachments: [] })
}

function giveVoice({ play }: Chat): void {
  play.isSilenced = false
}

async function replyElsewhere(chat: Chat): Promise<void> {
  const { chatId } = chat.play
  const key = `${chatId}/phone/${chat.steps.length}`
  const text = 'operator: from the phone'
  await deliver(chat, { kind: 'humanReply', externalKey: key, chatId, externalMessageId: key, text })
  chat.isClosed = false
  await expectSilence(chat)
}

/** By a phrase, which only some agents know: the others fall silent. */
async function giveBack(chat: Chat): Promise<void> {
  const { id: conversationId } = await rememberReturn(chat)
  await isRefused(chat.world.call(chat.play, conversations.reply, { conversationId, text: 'operator: over to you' }))
  await settle(chat)
}

/** From the moment that the caller is told, nothing more of an agent may be sent. */
async function silence(chat: Chat, mutation: unknown, args: Record<string, JSONValue>): Promise<void> {
  chat.id ??= (await chat.world.look(chat.play)).id
  const conversationId = chat.id
  if (await isRefused(chat.world.call(chat.play, mutation, { conversationId, ...args }))) return
  chat.isClosed = mutation === conversations.end
  await expectSilence(chat)
}

/**
 * What had gone out to the channel before is let through: nobody can call it back. `isSettled`: nobody who was called is needed any
 * more.
 */
async function expectSilence(chat: Chat, { isSettled } = { isSettled: true }): Promise<void> {
  const { world, play } = chat
  let { isSending } = isSettled ? await settle(chat) : await world.look(play)
  while (isSending) ({ isSending } = await world.look(play))
  await play.order.act('is to be silent', () => {
    play.isSilenced = true
  })
}

async function unsilence(chat: Chat, mutation: unknown): Promise<void> {
  const { id: conversationId } = await rememberReturn(chat)
  if (await isRefused(chat.world.call(chat.play, mutation, { conversationId }))) return
  chat.isClosed = false
  await settle(chat)
}

/** A pause stays what it is below a deletion, and silences the agent still when that is over. */
async function remove(chat: Chat): Promise<void> {
  const isSilenced = chat.play.isSilenced
  await callBulk(chat, bulk.place, { place: 'deleted' })
  chat.isDeleted = true
  chat.isClosed ||= !isSilenced
  await expectSilence(chat, { isSettled: false })
}

/** Brings a deleted conversation back, wherever it is put. */
async function put(chat: Chat, place: ConversationPlace): Promise<void> {
  if (chat.isDeleted) await rememberReturn(chat, { isHeard: chat.isClosed })
  chat.isDeleted = false
  await callBulk(chat, bulk.place, { place })
}

/** To somebody, or to nobody: whose it is says nothing of who answers. */
function assign(chat: Chat): Promise<void> {
  const { random, station } = chat.play
  return callBulk(chat, bulk.assign, { assigneeId: random.pick([station.memberId, null]) })
}

/** @throws when the conversation is not changed */
async function callBulk(chat: Chat, mutation: unknown, args: Record<string, JSONValue>): Promise<void> {
  chat.id ??= (await chat.world.look(chat.play)).id
  const results = await chat.world.call(chat.play, mutation, { conversationIds: [chat.id], ...args })
  const [result] = results as Bulk<unknown>
  if (!result || result.error !== null) throw new Error(`the conversation was not changed: ${result?.error}`)
}

/** The conversation as it is just before the agent may come back to it and, unless a pause still keeps it silent, be heard again. */
async function rememberReturn(chat: Chat, { isHeard } = { isHeard: true }): Promise<Standing> {
  if (isHeard) await chat.play.order.act('may be heard', () => giveVoice(chat))
  const standing = await chat.world.look(chat.play)
  if (standing.status !== 'active') chat.returnedAt = standing.newest
  return standing
}

/** Nobody who was called so far is needed any more. */
async function settle(chat: Chat): Promise<Standing> {
  const standing = await chat.world.look(chat.play)
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

/** A pause may run out with it. */
async function passTime(chat: Chat): Promise<void> {
  await rememberReturn(chat)
  await chat.world.passTime(chat.play, { isTimersToo: true })
}

async function saveSettings({ world, play }: Chat): Promise<void> {
  const { random, station } = play
  const patch = random.pick(CHANGES)(random)
  const isDraft = random.chance(0.3)
  await isRefused(world.call(play, agents.update, { id: station.agentId, patch, isDraft }))
}
