// What analytics must show, kept in plain objects by the same events that are written to the database.
import { medianOf } from '#server/domain/messaging/conversations/metrics.rules.ts'
import type { Outcome } from '#shared/analytics/facts.ts'
import type { Id } from '#shared/ids.ts'
import type { Author } from './analytics-world.ts'

type Message = { id: Id<'messages'>; author: Author; at: number }

export type Conversation = {
  id: Id<'conversations'>
  customerId: Id<'customers'>
  begunAt: number
  folder: 'inbox' | 'archived' | 'deleted'
  status: 'active' | 'paused' | 'ended'
  thread: number | null
  messages: Message[]
  lastAt: number
  questionAt: number | null
  responseMs: number | null
  lastWord: Author | null
  reason: string | null
  reopened: number
  rating: number | null
  didNotKnow: boolean
  costMicroUsd: number
  unpriced: number
}

export type Spending = { at: number; isTest: boolean; costMicroUsd: number | null }

/** A conversation without a message. */
export function begun(id: Id<'conversations'>, customerId: Id<'customers'>, at: number): Conversation {
  return {
    ...{ id, customerId, begunAt: at, folder: 'inbox', status: 'active', thread: null, messages: [], lastAt: at },
    ...{
      questionAt: null,
      responseMs: null,
      lastWord: null,
      reason: null,
      reopened: 0,
      rating: null,
      didNotKnow: false,
    },
    ...{ costMicroUsd: 0, unpriced: 0 },
  }
}

/** A message is written. */
export function write(conversation: Conversation, message: Message): void {
  const { author, at } = message
  conversation.messages.push(message)
  conversation.lastAt = Math.max(conversation.lastAt, at)
  if (author === 'customer') {
    if (conversation.status === 'ended') {
      conversation.status = 'active'
      conversation.reopened++
    }
    conversation.questionAt ??= at
  }
  if (author !== 'customer' && author !== 'rating' && conversation.questionAt !== null)
    conversation.responseMs ??= Math.max(0, at - conversation.questionAt)
  if (author === 'operator') conversation.reason ??= 'operator_reply'
  if (author !== 'notice' && author !== 'rating') conversation.lastWord = author
}

export function outcomeOf({ reason, reopened, lastWord }: Conversation): Outcome {
  if (reason !== null) return 'handed_off'
  if (reopened > 0) return 'reopened'
  return lastWord === 'agent' ? 'resolved' : 'unanswered'
}

const OUTCOMES = {
  resolved: 'resolved',
  handedOff: 'handed_off',
  reopened: 'reopened',
  unanswered: 'unanswered',
} as const

/** By outcome: those that began then, and are not deleted. */
export function outcomesOf(conversations: Conversation[]) {
  const counted = Object.entries(OUTCOMES).map(([name, outcome]): [string, number] => [
    name,
    conversations.filter((each) => outcomeOf(each) === outcome).length,
  ])
  return { conversations: conversations.length, ...Object.fromEntries(counted) }
}

/** By who wrote them: those written then, in what is not deleted. */
export function wordsOf(messages: { author: Author }[]) {
  const count = (...authors: Author[]) => messages.filter(({ author }) => authors.includes(author)).length
  return { customer: count('customer', 'rating'), agent: count('agent', 'notice'), operator: count('operator') }
}

/** The numbers of conversations that are the same however they are divided into days. */
export function measuresOf(conversations: Conversation[]) {
  const responses = conversations.flatMap(({ responseMs }) => responseMs ?? [])
  const settled = conversations.filter(
    (each) => each.questionAt !== null && (each.status === 'ended' || outcomeOf(each) === 'resolved'),
  )
  return {
    ...outcomesOf(conversations),
    everReopened: conversations.filter(({ reopened }) => reopened > 0).length,
    didNotKnow: conversations.filter(({ didNotKnow }) => didNotKnow).length,
    answered: responses.length,
    medianMs: medianOf(responses),
    settled: settled.length,
    scores: [1, 2, 3, 4, 5].map((score) => conversations.filter(({ rating }) => rating === score).length),
    microUsd: conversations.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0),
    unpricedCalls: conversations.reduce((sum, { unpriced }) => sum + unpriced, 0),
  }
}
