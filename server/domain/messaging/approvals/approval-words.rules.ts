// Texts about calls that wait for someone to agree, for the customer and for the model. Pure.

import type { Approval, AskedCall } from '#server/domain/tools/approvals.store.ts'
import type { AnswerLanguage } from '#server/integrations/llm/language.ts'
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import { APPROVAL_WORDS, type ApprovalStatus } from '#shared/tools/approvals.ts'

const VALUE_MAX = 200
const RESULT_MAX = 2000

/** The question to the customer, written by the server from the call itself: what a model says of it does not change what is agreed to. */
export function questionOf({ tool, arguments: given }: AskedCall, language: AnswerLanguage): string {
  const { ask, how } = APPROVAL_WORDS[language]
  const values = Object.entries(given).map(
    ([name, value]) => `${name}: ${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  return [ask.replace('{{title}}', tool.title), ...values, how].join('\n')
}

/** What the customer presses. */
export function answersTo(language: AnswerLanguage): string[] {
  const { yes, no } = APPROVAL_WORDS[language]
  return [yes, no]
}

/** What the customer reads of a call that is over. Empty where there is nothing to say. */
export function outcomeOf({ status, tool }: Pick<Approval, 'status' | 'tool'>, language: AnswerLanguage): string {
  const { [status as keyof (typeof APPROVAL_WORDS)['en']]: words = '' } = APPROVAL_WORDS[language]
  return words.replace('{{title}}', tool.title)
}

const STATES: Record<ApprovalStatus, string> = {
  waiting: 'not carried out: it waits',
  approved: 'approved, not carried out yet',
  running: 'being carried out, not certain yet',
  done: 'carried out',
  failed: 'not carried out: it failed',
  uncertain: 'not certain: the service gave no answer. The team looks into it. Do not repeat it',
  declined: 'declined, not carried out',
  withdrawn: 'not carried out: the customer did not agree to it in so many words',
  expired: 'not carried out: no one decided in time',
}

/** What a model has to know of the calls of its conversation. */
export function approvalBlocks(approvals: readonly Approval[]): DataBlock[] {
  if (approvals.length === 0) return []
  const lines = approvals.map(({ tool, by, status, arguments: given, result }) => {
    const waitsFor = by === 'customer' ? 'for the customer to confirm' : 'for a colleague to approve'
    const state = status === 'waiting' ? `${STATES.waiting} ${waitsFor}` : STATES[status]
    return JSON.stringify({ action: tool.title, tool: tool.name, arguments: given, state, ...resultOf(status, result) })
  })
  return [
    { title: 'Actions that were asked for in this conversation, and what has become of them', text: lines.join('\n') },
  ]
}

function resultOf(status: ApprovalStatus, result: string | null) {
  return result !== null && status === 'done' ? { result: result.slice(0, RESULT_MAX).toWellFormed() } : {}
}

/** What a model that has such tools has to keep to. */
export const WITH_APPROVALS = `Some tools change something and are carried out only after the customer has confirmed or a colleague has approved. Calling such a tool only asks.
The customer is shown what is asked, in words of the system, below your answer. Never say that such an action is done unless the list of actions says "carried out". What has become of an action is shown to the customer above your answer: do not repeat it word for word.`

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= VALUE_MAX ? line : `${line.slice(0, VALUE_MAX).toWellFormed()}…`
}
