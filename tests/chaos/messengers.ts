// The messengers of a trial: who writes through them, what has arrived, and the faults of delivery. Both are fakes.
import { chatOf, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { Deliveries, type Passage } from './deliveries.ts'
import { GREEN_API_POISON, type Poison, TELEGRAM_POISON } from './poison.ts'

/**
 * Faults of a provider. `lostAnswers`: sends arrive and are not answered. `lostReceipts`: the provider does not receive an acknowledgement.
 * `refusals`: the provider takes no connections for a while. `disorder`: notifications arrive twice at the same time, Telegram's in any order.
 * `poison`: unparsable notifications among the others.
 */
export const FAULTS = ['lostAnswers', 'lostReceipts', 'refusals', 'disorder', 'poison'] as const
export type Fault = (typeof FAULTS)[number]
export type Channel = 'telegram' | 'whatsapp'
/** How notifications reach servers. */
export type Delivery = 'webhook' | 'polling'
/** Calls a public function of a server, as the owner of an organization. */
export type Call = (kind: 'mutation' | 'action', name: string, args: object) => Promise<{ _id: string }>
/** `idMessage`: id at the provider, where it can be asked which messages it accepted. */
export type Arrived = { chatId: string; text: string; isUnanswered?: boolean; idMessage?: string }

export type Messenger = {
  /** Of the servers. */
  env: Record<string, string>
  /** Connects an account as a person would. */
  connect(call: Call, agentId: string): Promise<void>
  /** Turns the faults on or off. */
  spoil(isSpoilt: boolean): void
  refuseConnections(forMs: number): Promise<void>
  /** A customer writes. @returns the message, for `isTaken` and `repeat` */
  say(chat: number, text: string): object
  /** Posts an unparsable notification ahead of the chat's next message. */
  poison(chat: number): object
  /** Delivers an acknowledged notification again. */
  repeat(message: object): Promise<void>
  /** Whether the provider has received the acknowledgement. */
  isTaken(message: object): boolean
  waitFor(holds: () => boolean, what: string, limitMs?: number): Promise<void>
  /** Undefined when servers poll. */
  passageOf(message: object): Passage | undefined
  /** Different unparsable bodies that were acknowledged. */
  takenPoisons(): number
  /** Answers that no provider may receive. */
  refusals: string[]
  /** What customers received, in order. */
  sent(): Arrived[]
  close(): Promise<void>
}
/** `answerMs`: how long the provider takes to answer a send, in ms; by default as fast as it can. */
type Given = { delivery: Delivery; faults: readonly Fault[]; origins: () => string[]; answerMs?: number }

/** Share of sends, and of polls, that arrive and are not answered. */
const DROP_RATE = 0.05
/** Share of acknowledgements that do not reach the provider. GREEN-API pauses all deliveries after each. */
const LOSS_RATES = { telegram: 0.15, whatsapp: 0.04 }
/** Length of one second of GREEN-API, which pauses for sixty of them. */
const SECOND_MS = 5
/** How long a notification is kept, in such seconds: GREEN-API drops it after one day, which a trial would outlast. */
const QUEUE_SECONDS = 30 * 86_400

/** A bot at the fake Telegram. */
export async function telegramMessenger({ delivery, faults, origins, answerMs = 0 }: Given) {
  const telegram = await startFakeTelegram()
  telegram.faults.answerDelayMs = answerMs
  const { token } = telegram.addBot()
  const deliveries = new Deliveries(origins, howDelivered(faults, LOSS_RATES.telegram))
  telegram.webhookOrigin = () => anyOf(origins())
  telegram.isOrdered = !faults.includes('disorder')
  telegram.post = ({ url, secret }, update) =>
    deliveries.post(url, { 'x-telegram-bot-api-secret-token': secret }, update)
  const isTaken = (message: object) => telegram.acknowledged.has((message as { update_id: number }).update_id)
  const say = (chat: number, text: string) => {
    const update = telegram.textUpdate(token, 1000 + chat, text)
    telegram.push(token, update)
    return update
  }
  const messenger: Messenger = {
    env: { TELEGRAM_API_ROOT: telegram.url },
    connect: async (call, agentId) => {
      await call('action', 'channels/telegram:provision', { agentId, botToken: token })
    },
    spoil(isSpoilt) {
      telegram.faults.dropRate = isSpoilt && faults.includes('lostAnswers') ? DROP_RATE : 0
      telegram.faults.answersToDrop = telegram.faults.dropRate > 0 ? 1 : 0 // with few sends, chance might spare them all
      telegram.faults.pollDropRate = isSpoilt && faults.includes('lostReceipts') ? DROP_RATE : 0
    },
    refuseConnections: telegram.refuseConnections,
    say,
    poison(chat) {
      const update = telegram.textUpdate(token, 1000 + chat, '')
      deliveries.poisons.set(update, makePoison(TELEGRAM_POISON, String(1000 + chat)))
      telegram.push(token, update)
      return update
    },
    async repeat(message) {
      const { webhook } = telegram.bot(token)
      if (webhook) await telegram.post(telegram.reachable(webhook), message as { update_id: number })
    },
    isTaken,
    waitFor: (holds, what, limitMs) => telegram.waitFor(holds, what, limitMs),
    passageOf: (message) => (delivery === 'webhook' ? deliveries.passages.get(message) : undefined),
    takenPoisons: () => countTaken(deliveries, isTaken),
    refusals: deliveries.refusals,
    sent: () => telegram.sent,
    close: () => telegram.close(),
  }
  return { ...messenger, telegram, token }
}

/** An instance at the fake GREEN-API. It delivers one notification at a time, so disorder only means copies. */
export async function whatsappMessenger({ delivery, faults, origins }: Given): Promise<Messenger> {
  const greenApi = await startFakeGreenApi({ secondMs: SECOND_MS, queueSeconds: QUEUE_SECONDS })
  const { idInstance, apiToken } = greenApi.addInstance()
  const deliveries = new Deliveries(origins, howDelivered(faults, LOSS_RATES.whatsapp))
  greenApi.webhookOrigin = () => anyOf(origins())
  greenApi.post = ({ url, token }, body) => deliveries.post(url, { authorization: `Bearer ${token}` }, body)
  const isTaken = (message: object) => greenApi.acknowledged.has((message as { idMessage: string }).idMessage)
  const say = (chat: number, text: string) => {
    const body = greenApi.textMessage(idInstance, phoneOf(chat), text)
    greenApi.notify(idInstance, body)
    return body
  }
  return {
    env: { GREEN_API_URL: greenApi.url },
    connect: async (call, agentId) => {
      await call('action', 'channels/whatsapp:provision', { agentId, idInstance, apiToken })
    },
    spoil(isSpoilt) {
      greenApi.faults.dropRate = isSpoilt && faults.includes('lostAnswers') ? DROP_RATE : 0
      greenApi.faults.answersToDrop = greenApi.faults.dropRate > 0 ? 1 : 0
      greenApi.faults.pollDropRate = isSpoilt && faults.includes('lostReceipts') ? DROP_RATE : 0
    },
    refuseConnections: greenApi.refuseConnections,
    say,
    poison(chat) {
      const body = greenApi.textMessage(idInstance, phoneOf(chat), '')
      deliveries.poisons.set(body, makePoison(GREEN_API_POISON, idInstance))
      greenApi.notify(idInstance, body)
      return body
    },
    async repeat(message) {
      await greenApi.post(greenApi.reachable(greenApi.instance(idInstance)), message as { typeWebhook: string })
    },
    isTaken,
    waitFor: (holds, what, limitMs) => greenApi.waitFor(holds, what, limitMs),
    passageOf: (message) => (delivery === 'webhook' ? deliveries.passages.get(message) : undefined),
    takenPoisons: () => countTaken(deliveries, isTaken),
    refusals: deliveries.refusals,
    sent: () => greenApi.sent,
    close: () => greenApi.close(),
  }
}

function howDelivered(faults: readonly Fault[], lossRate: number) {
  return { lossRate: faults.includes('lostReceipts') ? lossRate : 0, isTwice: faults.includes('disorder') }
}

function countTaken({ poisons }: Deliveries, isTaken: (message: object) => boolean): number {
  return new Set([...poisons].filter(([message]) => isTaken(message)).map(([, { body }]) => body)).size
}

let poisons = 0
function makePoison(makers: ((place: string, number: number) => Poison)[], place: string): Poison {
  const number = poisons++
  const make = makers[number % makers.length]
  if (!make) throw new Error('there is no poison')
  return make(place, number)
}

function phoneOf(chat: number): string {
  return String(77_000_001_000 + chat)
}

function anyOf(origins: string[]): string {
  return origins[Math.floor(Math.random() * origins.length)] ?? ''
}

/** The chat's id as the database holds it. */
export function chatIdOf(channel: Channel, chat: number): string {
  return channel === 'telegram' ? String(1000 + chat) : chatOf(phoneOf(chat))
}
