// The widget's own words, in the language of the host page.
import type { WidgetLanguage } from '#shared/channels/webchat.ts'
import type { FileProblem } from './use-uploads.ts'

const ru = {
  open: 'Открыть чат',
  close: 'Закрыть чат',
  unread: (count: number) => `Открыть чат, непрочитанных сообщений: ${count}`,
  log: 'Диалог',
  placeholder: 'Напишите сообщение',
  send: 'Отправить',
  attach: 'Прикрепить файл',
  files: 'Файлы сообщения',
  voice: 'Голосовой ответ',
  uploading: (name: string) => `Загружается ${name}`,
  removeFile: (name: string) => `Убрать ${name}`,
  retryFile: 'Повторить',
  tooManyFiles: 'В одном сообщении может быть не больше 5 файлов. Остальные отправьте в следующем.',
  fileProblems: {
    too_large: 'Файл слишком большой: можно до 10\u00a0МБ.',
    empty: 'Файл пустой.',
    not_taken: 'Такой файл не принимается. Подойдут изображения, PDF, Word, Excel и текстовые файлы.',
    later: 'Сейчас принять больше файлов нельзя. Попробуйте позже.',
    unreachable: 'Файл не загрузился.',
  } satisfies Record<FileProblem, string>,
  person: 'Позвать человека',
  personMessage: 'Хочу поговорить с человеком.',
  withPerson: 'Вам ответит человек. Его сообщение появится здесь.',
  personHere: 'Вам отвечает сотрудник.',
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
  files: 'Files in the message',
  voice: 'Voice answer',
  uploading: (name) => `Uploading ${name}`,
  removeFile: (name) => `Remove ${name}`,
  retryFile: 'Try again',
  tooManyFiles: 'A message can have at most 5 files. Send the others in the next one.',
  fileProblems: {
    too_large: 'The file is too large. The limit is 10\u00a0MB.',
    empty: 'The file is empty.',
    not_taken: 'This kind of file is not accepted. Send pictures, PDF, Word, Excel or text files.',
    later: 'No more files can be accepted right now. Try again later.',
    unreachable: 'The file was not uploaded.',
  },
  person: 'Talk to a person',
  personMessage: 'I would like to talk to a person.',
  withPerson: 'A person will reply. Their message will appear here.',
  personHere: 'You are talking to a team member.',
  personTyping: 'A team member is typing…',
  rating: 'How did we do?',
  score: (score) => `${score} out of 5`,
  comment: 'What could we do better?',
  rate: 'Rate',
  notNow: 'Not now',
  answering: 'Writing an answer…',
  offlineNow: 'We are away right now',
  failed: 'Not sent',
  retry: 'Send again',
  expired: 'Not sent: the file is no longer stored. Attach it again.',
  sending: 'Sending…',
  tooMany: 'Too many messages right now. Wait a minute and send it again.',
  disconnected: 'No connection. Trying again…',
  outage:
    'The server is having problems, and messages are not getting through. Your text is kept and will be sent as soon as everything works again.',
  gone: 'This chat is no longer available.',
  you: 'You',
  agent: 'Assistant',
  operator: 'Team member',
}

/** The words of a language. */
export const TEXTS: Record<WidgetLanguage, WidgetTexts> = { ru, en }

/** The widget's language for a page with this language tag; empty: unknown. */
export function languageFor(tag: string): WidgetLanguage {
  return /^ru\b/i.test(tag) ? 'ru' : 'en'
}
