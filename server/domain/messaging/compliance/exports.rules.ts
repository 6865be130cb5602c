// Conversations as a file, in pieces as they are read: plain text, Markdown, JSON or CSV. All contain the same messages.

import { channelName } from '#shared/channels/manifests.ts'
import { BYTE_ORDER_MARK, csvRow } from '#shared/csv.ts'
import type { Attachment } from '#shared/messaging/attachments.ts'
import type { Conversation, Message, OpenConversation } from '#shared/messaging/conversations.ts'
import type { ExportFormat, ExportManner } from '#shared/messaging/exports.ts'
import { EXPORT_WORDS } from './exports.words.ts'

/** A conversation as it is exported. */
export type ExportedConversation = Conversation & Pick<OpenConversation, 'rating'>

/** The pieces of a file, in this order: a conversation, then its messages, oldest first, in any number of pages. */
export type ExportedPiece = { conversation: ExportedConversation } | { messages: Message[] }

/** Turns pieces into text. Made for one file. */
export type ExportWriter = {
  begin: () => string
  write: (piece: ExportedPiece) => string
  end: () => string
}

/** Media types by format. */
export const EXPORT_TYPES: Record<ExportFormat, string> = {
  txt: 'text/plain;charset=utf-8',
  md: 'text/markdown;charset=utf-8',
  json: 'application/json;charset=utf-8',
  csv: 'text/csv;charset=utf-8',
}

/** `at`: when the file is made, milliseconds. */
export function exportWriter(manner: ExportManner, at: number): ExportWriter {
  switch (manner.format) {
    case 'txt':
    case 'md':
      return textWriter(manner)
    case 'json':
      return jsonWriter(at)
    case 'csv':
      return csvWriter(manner)
    default:
      return manner.format satisfies never
  }
}

/** Name of a file: what it holds and the day on which it was made, in the time zone of the member who asked for it. */
export function exportName(what: string, { format, timeZone }: ExportManner, at: number): string {
  const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }).format(at)
  return `${what.replace(/[\s\p{C}\\/:*?"<>|]+/gu, '-')}-${day}.${format}`
}

function textWriter({ format, language, timeZone }: ExportManner): ExportWriter {
  const isMarkdown = format === 'md'
  const words = EXPORT_WORDS[language]
  const time = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'ru-RU', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  })
  const mark = (text: string) => (isMarkdown ? escapeMarkdown(text) : text)
  let isFirst = true
  const title = (conversation: Conversation) => {
    const { agentName, customer, channel, status, tags } = conversation
    const heading = mark(words.conversation(customer?.name || words.unnamed, agentName))
    const facts = [
      channelName(channel, language),
      customer?.username && `@${customer.username}`,
      words.status[status],
      ...tags,
    ]
    return `${isMarkdown ? `# ${heading}` : heading}\n${isMarkdown ? '\n' : ''}${mark(facts.filter(Boolean).join(' · '))}\n`
  }
  const entry = (message: Message) => {
    const name = mark(authorOf(message, words))
    const body = [
      mark(forwardLine(message, words)),
      mark(textOf(message, words)),
      ...message.attachments.map((each) => mark(attached(each, words))),
    ]
    return `\n${isMarkdown ? `**${name}**` : name} · ${time.format(message.createdAt)}\n${isMarkdown ? '\n' : ''}${body.filter(Boolean).join(isMarkdown ? '\n\n' : '\n')}\n`
  }
  return {
    begin: () => '',
    write(piece) {
      if ('messages' in piece) return piece.messages.map(entry).join('')
      const gap = isFirst ? '' : `\n${isMarkdown ? '---' : '─'.repeat(40)}\n\n`
      isFirst = false
      return gap + title(piece.conversation)
    },
    end: () => '',
  }
}

/** Escapes what could be taken for markup; what people wrote keeps its lines. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&').replace(/^(\s*)([-+=]|\d+[.)])(?=\s|$|=)/gm, '$1\\$2')
}

function jsonWriter(at: number): ExportWriter {
  let isFirst = true
  let isFirstMessage = true
  return {
    begin: () => `{"exportedAt":${JSON.stringify(new Date(at).toISOString())},"conversations":[`,
    write(piece) {
      if ('messages' in piece) {
        const text = piece.messages.map((message) => `\n${JSON.stringify(messageFacts(message))}`).join(',')
        const gap = isFirstMessage || text === '' ? '' : ','
        if (text) isFirstMessage = false
        return gap + text
      }
      const before = isFirst ? '\n' : ']},\n'
      isFirst = false
      isFirstMessage = true
      const facts = JSON.stringify(conversationFacts(piece.conversation))
      return `${before}${facts.slice(0, -1)},"messages":[`
    },
    end: () => (isFirst ? ']}\n' : ']}]}\n'),
  }
}

function conversationFacts(conversation: ExportedConversation) {
  const { _id, channel, status, folder, tags, customer, assignee, rating, createdAt } = conversation
  return {
    id: _id,
    channel,
    agent: conversation.agentName,
    customer: customer && { id: customer._id, name: customer.name, username: customer.username },
    status,
    folder,
    tags,
    assignee: assignee?.name ?? null,
    rating: rating && { ...rating, at: new Date(rating.at).toISOString() },
    createdAt: new Date(createdAt).toISOString(),
  }
}

function messageFacts({ attachments, deliveries, sources, ...message }: Message) {
  return {
    id: message._id,
    author: message.author,
    name: message.authorName,
    text: message.text,
    quoted: message.quoted,
    forwarded: message.forwarded,
    at: new Date(message.createdAt).toISOString(),
    editedAt: message.editedAt && new Date(message.editedAt).toISOString(),
    status: message.status,
    reason: message.reason,
    agentVersion: message.agentVersion,
    generation: message.generation,
    attachments: attachments.map(({ kind, name, mimeType, sizeBytes, text }) => ({
      kind,
      name,
      mimeType,
      sizeBytes,
      text,
    })),
    sources: sources.map(({ source, page, score }) => ({ source, page, score })),
    deliveries: deliveries.map(({ status, error }) => ({ status, error })),
  }
}

/** Where decimals have commas, spreadsheets divide cells by semicolons. */
function csvWriter({ language, timeZone }: ExportManner): ExportWriter {
  const words = EXPORT_WORDS[language]
  const delimiter = language === 'ru' ? ';' : ','
  const time = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  let common: string[] = []
  const row = (message: Message) =>
    csvRow(
      [
        ...common,
        time.format(message.createdAt),
        words.author[message.author],
        authorOf(message, words),
        [forwardLine(message, words), textOf(message, words)].filter(Boolean).join('\n'),
        message.attachments.map((each) => attached(each, words)).join('\n'),
        message.deliveries.map(({ status }) => words.delivery[status]).join(', '),
      ],
      delimiter,
    )
  return {
    begin: () => BYTE_ORDER_MARK + csvRow(words.columns(timeZone), delimiter),
    write(piece) {
      if ('messages' in piece) return piece.messages.map(row).join('')
      const { _id, channel, agentName, customer, status, tags } = piece.conversation
      const who = [customer?.name ?? '', customer?.username ?? '']
      common = [_id, channelName(channel, language), agentName, ...who, words.status[status], tags.join(', ')]
      return ''
    },
    end: () => '',
  }
}

type Words = (typeof EXPORT_WORDS)['en']

function authorOf({ author, authorName }: Message, words: Words): string {
  return author === 'system' ? words.author.system : authorName || words.author[author]
}

/** Marks that the end of a message was written by another author; empty where all of it is its author's. */
function forwardLine({ forwarded }: Message, words: Words): string {
  return forwarded ? `[${words.forwarded(forwarded.from)}]` : ''
}

/** The text of a message; for a system line, its description. */
function textOf({ author, text, reason, status }: Message, words: Words): string {
  if (author === 'system') {
    if (reason === 'assigned') return words.assigned(text)
    if (reason === 'routed') return words.routed(text)
    if (reason === 'merged') return words.merged
    if (reason === 'separated') return words.separated
    return reason === 'unassigned' ? words.unassigned : words.noted(reason ?? status)
  }
  return text || (status === 'complete' || status === 'streaming' ? '' : words.noted(reason ?? status))
}

/** An attachment of a message, with its text. */
function attached({ kind, name, text }: Attachment, words: Words): string {
  return `[${[words.kind[kind], name].filter(Boolean).join(' ')}]${text ? ` ${text}` : ''}`
}
