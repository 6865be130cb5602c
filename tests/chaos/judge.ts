// What must hold after servers were killed: compares what customers wrote and received with what the database kept.
import type { Db } from '#server/platform/db/database.ts'
import type { Passage } from './deliveries.ts'
import type { Arrived } from './messengers.ts'

/** Everything that happened, as seen from outside and in the database. */
export type Evidence = {
  /** Texts of notifications that were acknowledged to the provider. Each is one token such as `c7n12`: chat 7, its twelfth. */
  acknowledged: string[]
  /** What arrived on customers' phones, in order. */
  sent: Arrived[]
  /** `sequence`: counts up in the order of the conversation. */
  stored: { chatId: string; author: string; text: string; sequence: number }[]
  parts: {
    chatId: string
    text: string
    status: string
    error?: string | null
    messageId?: string
    externalMessageId?: string | null
  }[]
  turns: { id: string; status: string; outcome: string | null }[]
  /** Usage events that count a message. */
  counted: string[]
  /** When a customer's message was first posted and first acknowledged; webhook deliveries only. */
  passages: (Passage & { token: string; chatId: string })[]
  /** Each message of a chat is acknowledged before the next is posted. */
  isOrdered: boolean
  /** Different unparsable bodies that were acknowledged, and how many notifications were quarantined. */
  poisons: number
  quarantined: number
  /** Answers that no provider may receive. */
  refusals: string[]
  /** Upper bound: hard kills times the concurrent sends of one server, plus sends that were not answered. */
  unknownAllowed: number
}

/** One line for each broken promise; empty when all hold. */
export function judge(evidence: Evidence): string[] {
  return [
    ...storedOnce(evidence),
    ...answeredOnce(evidence),
    ...sentOnce(evidence),
    ...storedInOrder(evidence),
    ...inOrder(evidence),
    ...keptAside(evidence),
    ...ended(evidence),
    ...countedOnce(evidence),
  ]
}

/** How many messages were harmed in the ways that matter most. */
export type Harm = { lost: number; doubled: number; answeredTwice: number }

/** @param complaints as of `judge` */
export function countHarm(complaints: string[]): Harm {
  const countOf = (kind: RegExp) => complaints.filter((complaint) => kind.test(complaint)).length
  return {
    lost: countOf(/^acknowledged and lost/),
    doubled: countOf(/^(stored|arrived) ([2-9]|\d\d+) times/),
    answeredTwice: countOf(/^answered ([2-9]|\d\d+) times/),
  }
}

/** The tokens in a text. */
export function tokensOf(text: string): string[] {
  return text.match(/\bc\d+n\d+\b/g) ?? []
}

function storedOnce({ acknowledged, stored }: Evidence): string[] {
  const kept = count(stored.filter((message) => message.author === 'customer').flatMap(({ text }) => tokensOf(text)))
  return [
    ...acknowledged.filter((token) => !kept.has(token)).map((token) => `acknowledged and lost: ${token}`),
    ...[...kept].filter(([, times]) => times > 1).map(([token, times]) => `stored ${times} times: ${token}`),
  ]
}

function answeredOnce({ acknowledged, stored }: Evidence): string[] {
  const answers = count(stored.filter((message) => message.author === 'agent').flatMap(({ text }) => tokensOf(text)))
  return acknowledged.flatMap((token) => {
    const times = answers.get(token) ?? 0
    return times === 1 ? [] : [`answered ${times} times: ${token}`]
  })
}

/** Nothing is lost or duplicated silently: a part that did not arrive exactly once is shown as failed or unknown. */
function sentOnce({ sent, parts, unknownAllowed }: Evidence): string[] {
  const arrived = count(sent.map((message) => `${message.chatId} ${message.text}`))
  const unanswered = new Set(
    sent.filter(({ isUnanswered }) => isUnanswered).map(({ chatId, text }) => `${chatId} ${text}`),
  )
  const known = new Set(parts.map((part) => `${part.chatId} ${part.text}`))
  const unknown = parts.filter((part) => part.status === 'unknown').length
  // The provider was asked afterwards and confirmed it.
  const named = new Set(
    sent.flatMap(({ chatId, text, idMessage }) => (idMessage ? [`${chatId} ${text} ${idMessage}`] : [])),
  )
  return [
    ...parts.flatMap((part) => {
      const times = arrived.get(`${part.chatId} ${part.text}`) ?? 0
      const isRight = part.status === 'sent' ? times === 1 : part.status === 'unknown' ? times <= 1 : times === 0
      return isRight ? [] : [`arrived ${times} times though ${part.status}: ${part.text}`]
    }),
    ...parts
      .filter((part) => part.status !== 'unknown' && unanswered.has(`${part.chatId} ${part.text}`))
      .filter((part) => !named.has(`${part.chatId} ${part.text} ${part.externalMessageId}`))
      .map((part) => `${part.status} without confirmation: ${part.text}`),
    ...[...arrived.keys()].filter((key) => !known.has(key)).map((key) => `arrived from nowhere: ${key}`),
    ...(unknown > unknownAllowed ? [`${unknown} sends of unknown outcome, at most ${unknownAllowed} may be`] : []),
  ]
}

/** A message that was acknowledged before another of its chat was posted has the lower sequence. */
function storedInOrder({ stored, passages }: Evidence): string[] {
  const customers = stored.filter(({ author }) => author === 'customer')
  const sequences = new Map(customers.flatMap(({ text, sequence }) => tokensOf(text).map((token) => [token, sequence])))
  const chats = Map.groupBy(
    passages.filter(({ token }) => sequences.has(token)),
    ({ chatId }) => chatId,
  )
  return [...chats.values()].flatMap((ofChat) =>
    ofChat.flatMap((before) =>
      ofChat
        .filter(({ begunAt }) => before.takenAt !== null && before.takenAt < begunAt)
        .filter(({ token }) => (sequences.get(token) ?? 0) < (sequences.get(before.token) ?? 0))
        .map(({ token }) => `stored before what came earlier: ${token} before ${before.token}`),
    ),
  )
}

/**
 * Each chat is answered in the order in which it was spoken to. Where notifications overtake each other on their way, that is the order
 * in which they were stored, which `storedInOrder` judges.
 */
function inOrder({ sent, stored, isOrdered }: Evidence): string[] {
  const customers = stored.filter(({ author }) => author === 'customer').sort((a, b) => a.sequence - b.sequence)
  const places = new Map(customers.flatMap(({ text }) => tokensOf(text)).map((token, place) => [token, place]))
  const placeOf = (token: string) => (isOrdered ? Number(token.split('n')[1]) : (places.get(token) ?? -1))
  const last = new Map<string, number>()
  return sent.flatMap(({ chatId, text }) => {
    const numbers = tokensOf(text).map(placeOf)
    const before = last.get(chatId) ?? -1
    last.set(chatId, Math.max(before, ...numbers))
    return Math.min(...numbers) > before ? [] : [`out of order in chat ${chatId}: ${text}`]
  })
}

/** Unparsable notifications are acknowledged at once, and quarantined. */
function keptAside({ poisons, quarantined, refusals }: Evidence): string[] {
  return [
    ...refusals.map((refusal) => `refused: ${refusal.slice(0, 200)}`),
    ...(poisons === quarantined ? [] : [`${quarantined} notifications kept aside, ${poisons} were to be`]),
  ]
}

/**
 * Of a message whose beginning may not have arrived, the rest does not leave; and what a server that stood still has definitely not sent after
 * another one had given it up may be overtaken by then: the conversation shows both.
 */
function ended({ turns, parts }: Evidence): string[] {
  const uncertain = new Set(
    parts
      .filter(({ status, error }) => status === 'unknown' || (status === 'failed' && error === 'interrupted'))
      .map(({ messageId }) => messageId),
  )
  const isTail = (part: Evidence['parts'][number]) =>
    part.status === 'failed' && part.error === 'earlier_part' && uncertain.has(part.messageId)
  const isGivenUp = (part: Evidence['parts'][number]) => part.status === 'failed' && part.error === 'interrupted'
  return [
    ...turns
      .filter((turn) => !['done', 'merged'].includes(turn.status))
      .map((turn) => `turn ${turn.id} is ${turn.status}`),
    ...parts
      .filter((part) => !['sent', 'unknown'].includes(part.status) && !isTail(part) && !isGivenUp(part))
      .map((part) => `a part is ${part.status}: ${part.text}`),
  ]
}

function countedOnce({ turns, counted }: Evidence): string[] {
  const replied = turns.filter((turn) => turn.outcome === 'replied').map((turn) => turn.id)
  const events = count(counted)
  return [
    ...replied.filter((id) => events.get(id) !== 1).map((id) => `turn ${id} was counted ${events.get(id) ?? 0} times`),
    ...(counted.length === replied.length
      ? []
      : [`${counted.length} messages counted, ${replied.length} turns replied`]),
  ]
}

function count(items: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** What the database kept. */
export async function readEvidence(db: Db) {
  const stored = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['conversations.external_chat_id as chatId', 'messages.author', 'messages.text', 'messages.sequence'])
    .execute()
  const parts = await db
    .selectFrom('outbox')
    .select([
      'external_chat_id as chatId',
      'text',
      'status',
      'attempt',
      'error',
      'message_id as messageId',
      'external_message_id as externalMessageId',
    ])
    .execute()
  const aside = await db.selectFrom('inbound_events').where('status', '=', 'quarantined').select('id').execute()
  const turns = await db.selectFrom('turns').select(['id', 'status', 'outcome']).execute()
  const counted = await db.selectFrom('usage_events').where('messages', '>', 0).select('source_id').execute()
  return {
    stored: stored.map((row) => ({ ...row, chatId: row.chatId ?? '', sequence: Number(row.sequence) })),
    quarantined: aside.length,
    parts,
    turns,
    counted: counted.map((row) => row.source_id),
  }
}
