// The words of an exported file around the conversations themselves, in the language of the member who asked for it.

import type { AttachmentKind } from '#shared/messaging/attachments.ts'
import type { ConversationStatus, MessageAuthor, PartState } from '#shared/messaging/conversations.ts'
import type { ExportLanguage } from '#shared/messaging/exports.ts'
import { ATTACHMENT_NAMES } from '../files/attachments.words.ts'

type Words = {
  author: Record<MessageAuthor, string>
  unnamed: string
  status: Record<ConversationStatus, string>
  kind: Record<AttachmentKind, string>
  delivery: Record<PartState, string>
  conversation: (customer: string, agent: string) => string
  /** The author of a message that a customer forwards; null: unknown. */
  forwarded: (from: string | null) => string
  assigned: (name: string) => string
  /** Assigned from the queue to a member who was free. */
  routed: (name: string) => string
  unassigned: string
  merged: string
  separated: string
  /** A line that the system has written, by the code of its reason. */
  noted: (code: string) => string
  /** Column headings of a table; the time names its time zone. */
  columns: (timeZone: string) => string[]
}

const ru: Words = {
  author: { customer: 'Клиент', agent: 'Агент', operator: 'Оператор', system: 'Система' },
  unnamed: 'Клиент без имени',
  status: { active: 'активен', paused: 'на паузе', ended: 'завершён' },
  kind: ATTACHMENT_NAMES.ru,
  delivery: {
    queued: 'ждёт отправки',
    claimed: 'ждёт отправки',
    sending: 'отправляется',
    sent: 'отправлено',
    delivered: 'доставлено',
    read: 'прочитано',
    failed: 'не доставлено',
    unknown: 'доставка неизвестна',
  },
  conversation: (customer, agent) => `${customer} – ${agent}`,
  forwarded: (from) => (from ? `Переслано, автор: ${from}` : 'Переслано, автор неизвестен'),
  assigned: (name) => `Ответственный: ${name}`,
  routed: (name) => `Диалог передан из очереди: ${name}`,
  unassigned: 'Ответственного больше нет',
  merged: 'Показан вместе с другими диалогами клиента',
  separated: 'Снова показан отдельно',
  noted: (code) =>
    code.startsWith('handed_off') || code === 'customer_request'
      ? `Позвали сотрудника (${code})`
      : code === 'nobody_came'
        ? 'Никто не откликнулся вовремя, и агент снова отвечает'
        : `Агент не ответил (${code})`,
  columns: (timeZone) => [
    'Диалог',
    'Канал',
    'Агент',
    'Клиент',
    'Имя в канале',
    'Статус',
    'Теги',
    `Время (${timeZone})`,
    'Сторона',
    'Автор',
    'Текст',
    'Вложения',
    'Доставка',
  ],
}

const en: Words = {
  author: { customer: 'Customer', agent: 'Agent', operator: 'Operator', system: 'System' },
  unnamed: 'Unnamed customer',
  status: { active: 'active', paused: 'paused', ended: 'ended' },
  kind: ATTACHMENT_NAMES.en,
  delivery: {
    queued: 'waiting to be sent',
    claimed: 'waiting to be sent',
    sending: 'being sent',
    sent: 'sent',
    delivered: 'delivered',
    read: 'read',
    failed: 'not delivered',
    unknown: 'delivery unknown',
  },
  conversation: (customer, agent) => `${customer} – ${agent}`,
  forwarded: (from) => (from ? `Forwarded from ${from}` : 'Forwarded, author unknown'),
  assigned: (name) => `Assigned to ${name}`,
  routed: (name) => `Passed from the queue to ${name}`,
  unassigned: 'Unassigned',
  merged: 'Merged with other conversations of the customer',
  separated: 'Separated again',
  noted: (code) =>
    code.startsWith('handed_off') || code === 'customer_request'
      ? `A person was called (${code})`
      : code === 'nobody_came'
        ? 'Nobody came in time, so the agent is answering again'
        : `The agent did not answer (${code})`,
  columns: (timeZone) => [
    'Conversation',
    'Channel',
    'Agent',
    'Customer',
    'Name in the channel',
    'Status',
    'Tags',
    `Time (${timeZone})`,
    'Side',
    'Author',
    'Text',
    'Attachments',
    'Delivery',
  ],
}

/** By language. */
export const EXPORT_WORDS: Record<ExportLanguage, Words> = { ru, en }
