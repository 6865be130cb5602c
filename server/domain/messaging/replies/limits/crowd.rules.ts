// How many visitors of web chats are answered in an hour: of one site, and of one organization. Decisions only.

import {
  WEBCHAT_ORGANIZATION_ANSWERS_PER_HOUR,
  WEBCHAT_ORGANIZATION_NEW_VISITORS_PER_HOUR,
  WEBCHAT_SITE_ANSWERS_PER_HOUR,
  WEBCHAT_SITE_NEW_VISITORS_PER_HOUR,
} from '#shared/channels/visitor-ceilings.ts'
import type { TraceGate } from '#shared/messaging/trace.ts'
import type { Turn } from '../../turns/turn.ts'

/** What an hour has seen, this answer with it. */
export type Crowd = { newVisitors: number; answers: number }

/** Whether the answer is one to a visitor of a web chat. */
export function isToVisitor(turn: Turn): boolean {
  return turn.kind === 'reply' && turn.conversation.channel === 'webchat' && turn.connection !== null
}

/** Whether no answer was given in the conversation yet: that a visitor was asked to wait is none. */
export function isFirstAnswer({ history, limits }: Pick<Turn, 'history' | 'limits'>): boolean {
  const noticed = limits.notices.visitors_limit === undefined ? 0 : 1
  const answers = history.filter(({ author }) => author === 'agent')
  return answers.length <= noticed && !history.some(({ author }) => author === 'operator')
}

/** Visitors who were answered before are kept waiting by the number of answers alone. */
export function judgeCrowd(isNew: boolean, site: Crowd, organization: Crowd): TraceGate {
  const limits = [
    ['siteNewVisitors', isNew ? site.newVisitors : 0, WEBCHAT_SITE_NEW_VISITORS_PER_HOUR],
    ['organizationNewVisitors', isNew ? organization.newVisitors : 0, WEBCHAT_ORGANIZATION_NEW_VISITORS_PER_HOUR],
    ['siteAnswers', site.answers, WEBCHAT_SITE_ANSWERS_PER_HOUR],
    ['organizationAnswers', organization.answers, WEBCHAT_ORGANIZATION_ANSWERS_PER_HOUR],
  ] as const
  const over = limits.filter(([, count, most]) => count > most)
  const facts = over.flatMap(([name, count, most]) => [
    [name, count],
    [`${name}Limit`, most],
  ])
  return { gate: 'visitors', hasPassed: over.length === 0, facts: Object.fromEntries(facts) }
}
