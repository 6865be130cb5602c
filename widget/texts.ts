// The widget's own words, in the language of the page around.
import type { WidgetLanguage } from '#shared/webchat.ts'
import type { FileProblem } from './use-uploads.ts'

const ru = {
  open: 'Открыть чат',
  close: 'Закрыть чат',
  unread: (count: number) => `Открыть чат, непрочитанных сообщений: ${count}`,
  log: 'Переписка',
  placeholder: 'Напишите сообщение',
  send: 'Отправить',
  attach: 'Прикрепить файл',
  files: 'Файлы к сообщению',
  voice: 'Ответ голосом',
  uploading: (name: string) => `Загружается ${name}`,
  removeFile: (name: string) => `Убрать ${name}`,
  retryFile: 'Повторить',
  tooManyFiles: 'В одном сообщении может быть не больше 5 файлов. Остальные отправьте следующим.',
  fileProblems: {
    too_large: 'Файл слишком большой: можно до 10 МБ.',
    empty: 'Файл пустой.',
    not_taken: 'Такой файл не принимается. Подойдут картинки, PDF, Word, Excel и тексты.',
    later: 'Сейчас больше файлов принять нельзя. Попробуйте позже.',
    unreachable: 'Не загрузился.',
  } satisfies Record<FileProblem, string>,
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
  expired: 'Не отправлено: файл больше не хранится. Прикрепите его ещё раз.',
  sending: 'Отправляется…',
  tooMany: 'Сейчас слишком много сообщений. Подождите минуту и отправьте ещё раз.',
  disconnected: 'Нет связи. Подключаемся снова…',
  outage:
    'На сервере неполадки: сообщения пока не доходят. Ваш текст не пропадёт, мы отправим его, как только всё заработает.',
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
  attach: 'Attach a file',
  files: 'Files of the message',
  voice: 'Spoken answer',
  uploading: (name) => `Uploading ${name}`,
  removeFile: (name) => `Remove ${name}`,
  retryFile: 'Try again',
  tooManyFiles: 'One message carries no more than 5 files. Send the others with the next one.',
  fileProblems: {
    too_large: 'The file is too large: up to 10 MB are possible.',
    empty: 'The file is empty.',
    not_taken: 'Such a file is not accepted. Pictures, PDF, Word, Excel and texts are.',
    later: 'No more files are possible at the moment. Try again later.',
    unreachable: 'Not uploaded.',
  },
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
  expired: 'Not sent: the file is not stored any more. Attach it again.',
  sending: 'Sending…',
  tooMany: 'Too many messages at the moment. Wait a minute and send it again.',
  disconnected: 'No connection. Trying again…',
  outage:
    'The server has a problem, and messages do not get through. Your text is kept and goes out as soon as it is solved.',
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
