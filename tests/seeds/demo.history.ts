// Ninety days of invented conversations: who wrote when, what was answered and what it cost. Pure and repeatable: the same seed
// and the same moment give the same history. Writing it down is in demo.store.ts.
import { costMicroUsd, findModel, PRICE_VERSION } from '#server/integrations/llm/registry.ts'
import type { ConversationStatus, DeliveryStatus, MessageAuthor } from '#shared/messaging/conversations.ts'
import { type DemoAgentKey, type DemoDialogue, DIALOGUES, NAMES, SLOTS } from './demo.dialogues.ts'

export const HISTORY_DAYS = 90
const CONVERSATIONS = 420
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

export type PastGeneration = {
  model: string
  inputTokens: number
  outputTokens: number
  costMicroUsd: number | null
  priceVersion: string | null
  latencyMs: number
  firstTokenMs: number
}
export type PastMessage = {
  author: MessageAuthor
  text: string
  at: Date
  /** Name of the document, note or table that an answer comes from. */
  source: string | null
  /** What was asked of the table that is the source. */
  question: object | null
  /** Of an agent's answer. */
  generation: PastGeneration | null
  /** Of what was sent to the customer. */
  delivery: DeliveryStatus | null
}
export type PastConversation = {
  agent: DemoAgentKey
  channel: DemoChannel
  /** `chatId`: as the channel knows the chat. */
  customer: { name: string; username: string | null; chatId: string; language: 'ru' | 'en' }
  status: ConversationStatus
  unread: number
  /** Oldest first. */
  messages: PastMessage[]
}

export type DemoChannel = 'telegram' | 'whatsapp'

/** Which model each agent uses. */
export type DemoModels = Record<DemoAgentKey, string>

/** The conversations up to `now`, oldest first. */
export function inventHistory(now: Date, models: DemoModels): PastConversation[] {
  const random = createRandom(20_261_121)
  const starts = Array.from({ length: CONVERSATIONS }, () => startOf(random, now)).sort((a, b) => a - b)
  return starts.map((start, index) => invent(random, now, start, index, models))
}

/** More lately than at first, by day more than by night, fewer at weekends. */
function startOf(random: () => number, now: Date): number {
  for (;;) {
    const age = HISTORY_DAYS * (1 - Math.sqrt(random()))
    const at = new Date(now.getTime() - age * DAY_MS)
    const hour = at.getUTCHours() + 3
    const isNight = hour >= 24 || hour < 8
    const isWeekend = at.getUTCDay() % 6 === 0
    if (random() < (isNight ? 0.1 : 1) * (isWeekend ? 0.6 : 1)) return at.getTime() - 20 * MINUTE_MS
  }
}

function invent(random: () => number, now: Date, start: number, index: number, models: DemoModels): PastConversation {
  const dialogue = pick(random, DIALOGUES)
  const fill = slotFiller(random, start)
  let at = start
  const messages: PastMessage[] = []
  for (const turn of dialogue.turns) {
    at += pauseBefore(random, turn.by)
    if (at > now.getTime()) break
    messages.push(messageOf(random, turn, fill(turn.text), new Date(at), models[dialogue.agent]))
  }
  const last = messages.at(-1)
  const channel = channelOf(dialogue, index)
  return {
    agent: dialogue.agent,
    channel,
    customer: customerOf(random, dialogue, index, channel),
    status: statusOf(random, dialogue, now.getTime() - at),
    unread: last?.author === 'customer' && now.getTime() - at < DAY_MS ? 1 : 0,
    messages,
  }
}

function messageOf(
  random: () => number,
  turn: DemoDialogue['turns'][number],
  text: string,
  at: Date,
  model: string,
): PastMessage {
  return {
    author: turn.by,
    text,
    at,
    source: turn.source ?? null,
    question: turn.question ?? null,
    generation: turn.by === 'agent' ? generationOf(random, text, model) : null,
    delivery: turn.by === 'customer' ? null : deliveryOf(random),
  }
}

/** An agent answers within seconds, people take their time. */
function pauseBefore(random: () => number, author: MessageAuthor): number {
  if (author === 'agent') return 1500 + random() * 3500
  return author === 'operator' ? (2 + random() * 12) * MINUTE_MS : (0.3 + random() * 3) * MINUTE_MS
}

function generationOf(random: () => number, text: string, model: string): PastGeneration {
  const inputTokens = Math.round(700 + random() * 1400)
  const outputTokens = Math.round(text.length / 3)
  const price = findModel(model)?.price ?? null
  const firstTokenMs = Math.round(350 + random() * 700)
  const cost = costMicroUsd(price, { input: inputTokens, output: outputTokens, cachedInput: 0 })
  return {
    model,
    inputTokens,
    outputTokens,
    costMicroUsd: cost,
    priceVersion: cost === null ? null : PRICE_VERSION,
    firstTokenMs,
    latencyMs: firstTokenMs + outputTokens * 12,
  }
}

/** Nearly everything arrives; a blocked bot and a lost answer of Telegram happen. */
function deliveryOf(random: () => number): DeliveryStatus {
  const chance = random()
  return chance < 0.004 ? 'unknown' : chance < 0.009 ? 'failed' : 'sent'
}

/** Every third guest of the help desk prefers WhatsApp. */
function channelOf({ agent }: DemoDialogue, index: number): DemoChannel {
  return agent === 'support' && index % 3 === 0 ? 'whatsapp' : 'telegram'
}

function customerOf(
  random: () => number,
  dialogue: DemoDialogue,
  index: number,
  channel: DemoChannel,
): PastConversation['customer'] {
  const name = pick(random, NAMES[dialogue.language])
  const username = random() < 0.6 ? `${latin(name)}${Math.floor(random() * 90 + 10)}` : null
  if (channel === 'telegram')
    return { name, username, chatId: String(810_000_000 + index), language: dialogue.language }
  return { name, username: null, chatId: `${79_005_550_000 + index}@c.us`, language: dialogue.language }
}

function latin(name: string): string {
  const letters =
    'а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц c ч ch ш sh щ sch ы y э e ю yu я ya'
  const map = new Map(
    letters.split(' ').flatMap((letter, i, all) => (i % 2 === 0 ? [[letter, all[i + 1] ?? '']] : [])) as [
      string,
      string,
    ][],
  )
  const plain = name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
  return [...plain]
    .map((letter) => map.get(letter) ?? (/[a-z]/.test(letter) ? letter : letter === ' ' ? '_' : ''))
    .join('')
}

/** A talk that a person has joined stays paused for a while; old ones have ended. */
function statusOf(random: () => number, dialogue: DemoDialogue, age: number): ConversationStatus {
  const hasOperator = dialogue.turns.some((turn) => turn.by === 'operator')
  if (hasOperator && age < 4 * DAY_MS) return 'paused'
  if (age < 3 * DAY_MS) return 'active'
  return random() < 0.85 ? 'ended' : 'active'
}

/** The same word for the same slot throughout one conversation; dates lie some weeks after it. */
function slotFiller(random: () => number, start: number): (text: string) => string {
  const visit = new Date(start + (7 + Math.floor(random() * 35)) * DAY_MS)
  const day = (locale: string) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' }).format(visit)
  const chosen = new Map<string, string>([
    ['дата', day('ru')],
    ['date', day('en-US')],
  ])
  return (text) =>
    text.replace(/\{(\p{L}+)\}/gu, (whole, name: string) => {
      const word = chosen.get(name) ?? pick(random, SLOTS[name] ?? [whole])
      chosen.set(name, word)
      return word
    })
}

function pick<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick from')
  return item
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
