// One seed: a conversation in which customer, operator, phone, timers, servers and settings act in a random order, and what has to be
// true of it at the end.
import { setTimeout } from 'node:timers/promises'
import * as agents from '#server/features/agents/agents.functions.ts'
import * as conversations from '#server/features/conversations/conversations.functions.ts'
import type { AgentSettings } from '#shared/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import { type Random, seededRandom } from '#tests/random.ts'
import { findState, gather, look, type Rest, type State } from './evidence.ts'
import { CLOSED, HANDOFF, OPEN } from './manners.ts'
import type { SimulationWorld, Station } from './world.ts'

/** What happened, in order; printed when the seed is found guilty. */
type Log = string[]

type Chat = {
  world: SimulationWorld
  station: Station
  random: Random
  chatId: string
  /** Of the conversation, once it was looked up. */
  id: string | undefined
  log: Log
  updates: object[]
  said: number
  /** The customer's next word opens the conversation again. */
  isEnded: boolean
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
  { name: 'time passes', weight: 10, run: passTime },
  { name: 'the owner is lost', weight: 5, run: loseOwner },
  { name: 'the server is replaced', weight: 1, run: (chat) => chat.world.replace() },
  { name: 'settings are saved', weight: 5, run: saveSettings },
  { name: 'an answer is written', weight: 10, run: awaitAnswer },
  { name: 'all is quiet', weight: 10, run: async (chat) => void (await comeToRest(chat)) },
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

const WEIGHTS = STEPS.flatMap((step) => Array.from({ length: step.weight }, () => step))

/**
 * Plays a seed: the same steps each time, between which servers, timers and other conversations do what they do. `play` tells plays of
 * one seed apart. @returns what is wrong, and the log; null when all promises hold
 */
export async function playSeed(
  world: SimulationWorld,
  stations: Station[],
  { seed, play }: { seed: number; play: number },
): Promise<string | null> {
  const random = seededRandom(seed)
  const chatId = `seed-${seed}-${play}`
  const chat: Chat = {
    world,
    station: random.pick(stations),
    random,
    chatId,
    id: undefined,
    log: [],
    updates: [],
    said: 0,
    isEnded: false,
    returnedAt: 0,
    settledAt: 0,
  }
  await say(chat, `m${++chat.said}.`)
  const steps = 4 + random.below(12)
  for (let step = 0; step < steps; step++) {
    const { name, run } = random.pick(WEIGHTS)
    chat.log.push(name)
    await run(chat)
  }
  const complaints = await judge(chat)
  // Whoever is silent now comes back: whatever was lost in a pause shows then.
  const back = random.pick([() => passTime(chat), () => unsilence(chat, conversations.resume)])
  await back()
  complaints.push(...(await judge(chat)).map((complaint) => `after the return: ${complaint}`))
  return complaints.length === 0 ? null : `seed ${seed}: ${complaints.join('; ')}\n  ${chat.log.join(' → ')}`
}

async function say(chat: Chat, text: string): Promise<void> {
  const sender = { externalId: chat.chatId, name: 'Customer', username: null, language: 'en' }
  const update = { kind: 'message', externalKey: `${chat.chatId}/${chat.said}`, chatId: chat.chatId, sender, text }
  chat.updates.push(update)
  // A customer may give the agent its voice back; what it says from here on is not to be complained of.
  const mayResume = text.includes('bot')
  if (chat.isEnded || mayResume) chat.world.channel.silenced.delete(chat.chatId)
  await deliver(chat, update)
  chat.isEnded = false
  if (mayResume) await settle(chat)
}

function deliver(chat: Chat, update: object | undefined): Promise<void> {
  return chat.world.deliver(chat.station, { ...update, attachments: [] })
}

async function replyElsewhere(chat: Chat): Promise<void> {
  const key = `${chat.chatId}/phone/${chat.log.length}`
  const text = 'operator: from the phone'
  await deliver(chat, { kind: 'humanReply', externalKey: key, chatId: chat.chatId, externalMessageId: key, text })
  chat.isEnded = false
  await settle(chat)
  await expectSilence(chat)
}

/** By a phrase, which only some agents know: the others fall silent. */
async function giveBack(chat: Chat): Promise<void> {
  chat.world.channel.silenced.delete(chat.chatId)
  const { id: conversationId } = await rememberReturn(chat)
  await isRefused(chat.world.call(conversations.reply, { conversationId, text: 'operator: over to you' }))
  await settle(chat)
}

/** From the moment that the caller is told, nothing more of an agent may be sent. */
async function silence(chat: Chat, mutation: unknown, args: Record<string, unknown>): Promise<void> {
  const conversationId = await idOf(chat)
  if (await isRefused(chat.world.call(mutation, { conversationId, ...args }))) return
  chat.isEnded = mutation === conversations.end
  await settle(chat)
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
  const { id: conversationId } = await rememberReturn(chat)
  await chat.world.call(mutation, { conversationId })
  chat.isEnded = false
  await settle(chat)
}

/** The conversation as it is just before the agent may come back to it. */
async function rememberReturn(chat: Chat): Promise<State> {
  const state = await stateOf(chat)
  if (state.status !== 'active') chat.returnedAt = state.newest
  return state
}

/** Nobody who was called so far is needed any more. */
async function settle(chat: Chat): Promise<void> {
  chat.settledAt = (await stateOf(chat)).newest
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
  const { id } = await rememberReturn(chat)
  await chat.world.passTime([id], { isTimersToo: true })
}

async function loseOwner(chat: Chat): Promise<void> {
  await chat.world.loseOwner(await idOf(chat))
}

/** Of the agent of this conversation, which has others under way. */
async function saveSettings(chat: Chat): Promise<void> {
  const patch = chat.random.pick(CHANGES)(chat.random)
  const isDraft = chat.random.chance(0.3)
  await isRefused(chat.world.call(agents.update, { id: chat.station.agentId, patch, isDraft }))
}

async function idOf(chat: Chat): Promise<string> {
  chat.id ??= (await stateOf(chat)).id
  return chat.id
}

function stateOf({ world, station, chatId }: Chat): Promise<State> {
  return findState(world, station.connectionId, chatId)
}

/** Lets everything come to rest and holds it against the promises. */
async function judge(chat: Chat): Promise<string[]> {
  const rest = await comeToRest(chat)
  const evidence = await gather(chat.world, await idOf(chat), chat)
  const sent = chat.world.channel.sent.filter((each) => each.chatId === chat.chatId)
  const spoken = sent.filter(({ text }) => !text.startsWith('operator:'))
  const answered = spoken.flatMap(({ text }) => text.match(/m\d+/g) ?? [])
  const numbers = evidence.settled.flatMap((text) => text.match(/^m\d+/)?.[0] ?? [])
  const lost = numbers.filter((number) => !answered.includes(number))
  const complaints = [
    spoken.some(({ wasSilenced }) => wasSilenced) && 'the agent was heard after it had been silenced',
    new Set(answered).size < answered.length && `answered twice: ${answered.join(' ')}`,
    rest.busy_turns > 0 && 'a turn never ends',
    rest.open_parts > 0 && 'a part is never sent',
    evidence.status === 'active' && evidence.unanswered > 0 && !evidence.is_explained && 'silence without a reason',
    evidence.status === 'active' && lost.length > 0 && `counted as answered, and never heard: ${lost.join(' ')}`,
    evidence.is_call_lost && 'a call for a person is gone before anybody came',
    evidence.status === 'paused' && evidence.pause_reason === null && 'paused without a reason',
    evidence.counted !== evidence.replied_turns && `${evidence.replied_turns} answers, ${evidence.counted} counted`,
  ]
  return complaints.filter((complaint) => complaint !== false)
}

/** Looks after which a conversation that does not come to rest is judged as it is, and the time between two of them. */
const LOOKS = 400
const LOOK_PAUSE_MS = 15

/** Waits until nothing is being answered, or only the clock is waited for: what is written may not have been sent yet. */
async function awaitAnswer(chat: Chat): Promise<void> {
  const conversationId = await idOf(chat)
  for (let looked = 1; looked < LOOKS; looked++) {
    const { busy_turns, waits } = await look(chat.world, conversationId)
    if (busy_turns === 0 || waits) return
    await setTimeout(LOOK_PAUSE_MS)
  }
}

/** Waits until nothing of a conversation is under way; what waits for a clock has its time come. */
async function comeToRest(chat: Chat): Promise<Rest> {
  const conversationId = await idOf(chat)
  for (let looked = 1; ; looked++) {
    const rest = await look(chat.world, conversationId)
    if (looked >= LOOKS || (rest.busy_turns === 0 && rest.open_parts === 0 && !rest.is_due)) return rest
    if (rest.waits) await chat.world.passTime([conversationId], { isTimersToo: false })
    await setTimeout(LOOK_PAUSE_MS)
  }
}
