// Guards: topics that an agent must not discuss, phrases that it must not write, and promises that need a person. Decisions only.
import { findPhrase } from '#server/domain/messaging/conversations/phrases.rules.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

/** What one guard looks for, and its action. */
export type Guard = AgentSettings['guards']['questions']

/** The guard's first phrase that occurs in a text: by whole words, in any inflection. Null when none does. */
export function guardedPhrase(text: string, guard: Guard): string | null {
  return findPhrase(text, guard.phrases)
}

/** The history without messages that a guard left unanswered: the model would answer them with the next question. */
export function withoutPassedOver<Message extends { author: string; text: string }>(
  history: Message[],
  guard: Guard,
): Message[] {
  if (guard.action !== 'silent' || guard.phrases.length === 0) return history
  return history.filter(({ author, text }) => author !== 'customer' || guardedPhrase(text, guard) === null)
}

/** Sentences, without final punctuation. */
const SENTENCE = /[^.!?\n]+/gu

/** Promises that a colleague or the agent will get back to the customer later. An agent that makes one has to call a person. */
const PROMISES = [
  /\b(?:i|we)(?:'ll|’ll| will| am going to| are going to)\s+(?:\p{L}+\s+){0,3}?(?:get|come|write|reach|be)\s+(?:right\s+)?(?:back|out|in touch)\b/iu,
  /\b(?:i|we)(?:'ll|’ll| will)\s+(?:\p{L}+\s+){0,2}?(?:check|find out|look into|clarify|ask|consult|verify|investigate)\b(?!\s+(?:whether you|if you|you)\b)/iu,
  /\b(?:i|we)(?:'ll|’ll| will)\s+(?:\p{L}+\s+){0,2}?(?:let you know|follow up|contact you|call you|notify you|keep you (?:posted|informed))\b/iu,
  /\b(?:i|we)(?:'ll|’ll| will| have|'ve|’ve)?\s*(?:pass|passed|forward|forwarded|escalate|escalated|transfer|transferred)\s+(?:\p{L}+\s+){1,4}(?:to|on)\b/iu,
  /\b(?:a|our|my)\s+(?:\p{L}+\s+){0,2}?(?:colleague|manager|specialist|team|operator|representative|administrator)s?\s+(?:will|is going to)\s+(?:\p{L}+\s+){0,2}?(?:contact|call|reach|get back|write|answer|reply|be in touch)\b/iu,
  /(?<!\p{L})(?:я\s+|мы\s+|сейчас\s+)*(?:уточн(?:ю|им)|узна(?:ю|ем)|выясн(?:ю|им)|проконсультируюсь|спрошу|спросим)(?!\p{L})(?![^.!?\n]{0,12}(?:у вас|у тебя|ваш))/iu,
  /(?<!\p{L})(?:верн(?:усь|емся|ёмся)|перезвон(?:ю|им)|свяж(?:усь|емся)|отпиш(?:усь|емся)|дам(?:\s+вам)?\s+знать|дадим(?:\s+вам)?\s+знать|сообщ(?:у|им)\s+вам)(?!\p{L})/iu,
  /(?<!\p{L})(?:переда(?:м|дим|ю|ём|ем|л|ла|ли)|перенаправ(?:лю|им|ляю)|переключ(?:аю|у|им))\s[^.!?\n]{0,40}(?:коллег|менеджер|специалист|оператор|администратор|сотрудник|команд|руководств)/iu,
  /(?<!\p{L})(?:менеджер|специалист|оператор|администратор|сотрудник|коллег[аи])\p{L}*\s[^.!?\n]{0,25}(?:свяж(?:ется|утся)|перезвон(?:ит|ят)|ответ(?:ит|ят)|напиш(?:ет|ут))(?!\p{L})/iu,
]

/** Signs of a condition, a question or a denial: such a sentence promises nothing. */
const NO_PROMISE =
  /\b(?:if you|would you like|do you want|shall i|should i|can't|cannot|can not|won't|unable|not able)\b|(?<!\p{L})(?:если|хотите|могу ли|не могу|не сможем|не смогу|нужно ли|передать ли)(?!\p{L})/iu

/** The sentence of an answer that promises a later reply; null without one. */
export function promiseIn(answer: string): string | null {
  for (const [sentence] of answer.matchAll(SENTENCE)) {
    if (NO_PROMISE.test(sentence)) continue
    if (PROMISES.some((pattern) => pattern.test(sentence))) return sentence.trim()
  }
  return null
}
