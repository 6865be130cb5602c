// The widget's own words, in the language of the page around.
import type { WidgetLanguage } from '#shared/webchat.ts'

const ru = {
  open: 'Открыть чат',
  close: 'Закрыть чат',
  unread: (count: number) => `Открыть чат, непрочитанных сообщений: ${count}`,
  log: 'Переписка',
  placeholder: 'Напишите сообщение',
  send: 'Отправить',
  person: 'Позвать человека',
  personMessage: 'Хочу поговорить с человеком.',
  withPerson: 'Ответит человек. Его сообщение появится здесь.',
  personHere: 'С вами говорит сотрудник.',
  personTyping: 'Сотрудник пишет…',
  rating: 'Как мы вам помогли?',
  score: (score: number) => `${score} из 5`,
  comment: 'Что можно сделать лучше?',
  rate: 'Оценить',
  notNow: 'Не сейчас',
  answering: 'Пишет ответ…',
  offlineNow: 'Сейчас нас нет на месте',
  failed: 'Не отправлено',
  retry: 'Отправить ещё раз',
  sending: 'Отправляется…',
  tooMany: 'Слишком много сообщений подряд. Подождите немного.',
  disconnected: 'Нет связи. Подключаемся снова…',
  gone: 'Этот чат больше не работает.',
  you: 'Вы',
  agent: 'Помощник',
  operator: 'Сотрудник',
}

/** Every text of the widget. */
export type WidgetTexts = typeof ru

const en: WidgetTexts = {
  open: 'Open the chat',
  close: 'Close the chat',
  unread: (count) => `Open the chat, unread messages: ${count}`,
  log: 'Conversation',
  placeholder: 'Write a message',
  send: 'Send',
  person: 'Talk to a person',
  personMessage: 'I would like to talk to a person.',
  withPerson: 'A person will answer. Their message appears here.',
  personHere: 'You are talking to a team member.',
  personTyping: 'A team member is typing…',
  rating: 'How did we help you?',
  score: (score) => `${score} of 5`,
  comment: 'What could be better?',
  rate: 'Rate',
  notNow: 'Not now',
  answering: 'Writing an answer…',
  offlineNow: 'We are away at the moment',
  failed: 'Not sent',
  retry: 'Send again',
  sending: 'Sending…',
  tooMany: 'Too many messages in a row. Wait a moment.',
  disconnected: 'No connection. Trying again…',
  gone: 'This chat is not available any more.',
  you: 'You',
  agent: 'Assistant',
  operator: 'Team member',
}

/** The words of a language. */
export const TEXTS: Record<WidgetLanguage, WidgetTexts> = { ru, en }

/** The widget's language for a page in this one, given as a language tag; empty: not said. */
export function languageFor(tag: string): WidgetLanguage {
  return /^ru\b/i.test(tag) ? 'ru' : 'en'
}
