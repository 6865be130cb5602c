// What must hold after servers were killed: judged from what customers said and received, against what the database kept.
import type { Db } from '#server/db/database.ts'
import type { SentMessage } from '#tests/fakes/telegram.ts'

/** Everything that happened, from outside and from inside. */
export type Evidence = {
  /** Texts of updates that a server has acknowledged. Each is one token such as `c7n12`: chat 7, its twelfth. */
  acknowledged: string[]
  /** What arrived on customers' phones, in order. */
  sent: Pick<SentMessage, 'chatId' | 'text'>[]
  stored: { chatId: string; author: string; text: string }[]
  parts: { chatId: string; text: string; status: string }[]
  turns: { id: string; status: string; outcome: string | null }[]
  /** Usage events that count a message. */
  counted: string[]
  /** Hard kills times sends that one server has under way at most. */
  unknownAllowed: number
}

/** One line for each broken promise; empty when all hold. */
export function judge(evidence: Evidence): string[] {
  return [
    ...storedOnce(evidence),
    ...answeredOnce(evidence),
    ...sentOnce(evidence),
    ...inOrder(evidence),
    ...ended(evidence),
    ...countedOnce(evidence),
  ]
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

/** Nothing is lost or doubled silently: whatever did not arrive exactly once is shown as failed or unknown. */
function sentOnce({ sent, parts, unknownAllowed }: Evidence): string[] {
  const arrived = count(sent.map((message) => `${message.chatId} ${message.text}`))
  const known = new Set(parts.map((part) => `${part.chatId} ${part.text}`))
  const unknown = parts.filter((part) => part.status === 'unknown').length
  return [
    ...parts.flatMap((part) => {
      const times = arrived.get(`${part.chatId} ${part.text}`) ?? 0
      const isRight = part.status === 'sent' ? times === 1 : part.status === 'unknown' ? times <= 1 : times === 0
      return isRight ? [] : [`arrived ${times} times though ${part.status}: ${part.text}`]
    }),
    ...[...arrived.keys()].filter((key) => !known.has(key)).map((key) => `arrived from nowhere: ${key}`),
    ...(unknown > unknownAllowed ? [`${unknown} sends of unknown outcome, at most ${unknownAllowed} may be`] : []),
  ]
}

/** Each chat is answered in the order in which it was spoken to. */
function inOrder({ sent }: Evidence): string[] {
  const last = new Map<string, number>()
  return sent.flatMap(({ chatId, text }) => {
    const numbers = tokensOf(text).map((token) => Number(token.split('n')[1]))
    const before = last.get(chatId) ?? -1
    last.set(chatId, Math.max(before, ...numbers))
    return Math.min(...numbers) > before ? [] : [`out of order in chat ${chatId}: ${text}`]
  })
}

function ended({ turns, parts }: Evidence): string[] {
  return [
    ...turns
      .filter((turn) => !['done', 'merged'].includes(turn.status))
      .map((turn) => `turn ${turn.id} is ${turn.status}`),
    ...parts
      .filter((part) => !['sent', 'unknown'].includes(part.status))
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
export async function readEvidence(db: Db): Promise<Pick<Evidence, 'stored' | 'parts' | 'turns' | 'counted'>> {
  const stored = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['conversations.external_chat_id as chatId', 'messages.author', 'messages.text'])
    .execute()
  const parts = await db.selectFrom('outbox').select(['external_chat_id as chatId', 'text', 'status']).execute()
  const turns = await db.selectFrom('turns').select(['id', 'status', 'outcome']).execute()
  const counted = await db.selectFrom('usage_events').where('messages', '>', 0).select('source_id').execute()
  return {
    stored: stored.map((row) => ({ ...row, chatId: row.chatId ?? '' })),
    parts,
    turns,
    counted: counted.map((row) => row.source_id),
  }
}
