// Exports a test chat for reading, as a document, or for a program. All three formats hold the same turns.
import type { Attachment } from '#shared/messaging/attachments.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { TEST_VARIANTS, type TestVariant } from '#shared/messaging/test-chat.ts'

export const EXPORT_FORMATS = ['txt', 'md', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const MIME_TYPES: Record<ExportFormat, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  json: 'application/json',
}

export type ExportedChat = {
  agent: { name: string; slug: string }
  /** Chats of the page; those without messages are left out. */
  chats: Partial<Record<TestVariant, Message[]>>
  /** Milliseconds since the epoch. */
  at: number
}

/** Texts of the file in the language on screen. */
export type ExportWords = {
  title: string
  /** Name of each side; for a system line, the reason why there was no answer. */
  author: (message: Message) => string
  textOf: (message: Message) => string
  kindOf: (attachment: Attachment) => string
  time: (at: number) => string
}

/** The file: name with agent and date, content, type. */
export function exportChat(
  exported: ExportedChat,
  format: ExportFormat,
  words: ExportWords,
): { name: string; content: string; type: string } {
  const name = `${exported.agent.slug}-${dateOf(exported.at)}.${format}`
  const content = format === 'json' ? toJson(exported, words) : toText(exported, words, format)
  return { name, content, type: `${MIME_TYPES[format]};charset=utf-8` }
}

/** In the browser's time zone, `YYYY-MM-DD`. */
function dateOf(at: number): string {
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' }).format(at)
}

function chatsOf({ chats }: ExportedChat): { variant: TestVariant; messages: Message[] }[] {
  return TEST_VARIANTS.flatMap((variant) => {
    const messages = chats[variant] ?? []
    return messages.length > 0 ? [{ variant, messages }] : []
  })
}

function toText(exported: ExportedChat, words: ExportWords, format: 'txt' | 'md'): string {
  const isMarkdown = format === 'md'
  const chats = chatsOf(exported)
  const blocks = chats.flatMap(({ variant, messages }) => [
    ...(chats.length > 1 ? [`${isMarkdown ? '## ' : ''}${variant.toUpperCase()}`] : []),
    ...messages.map((message) => {
      const author = isMarkdown ? `**${words.author(message)}**` : words.author(message)
      return `${author} · ${words.time(message.createdAt)}\n${isMarkdown ? '\n' : ''}${bodyOf(message, words)}`
    }),
  ])
  return `${[`${isMarkdown ? '# ' : ''}${words.title}`, ...blocks].join('\n\n')}\n`
}

/** The text, its choices, and a line for each attachment with the text read from it. */
function bodyOf(message: Message, words: ExportWords): string {
  const attached = message.attachments.map((attachment) => {
    const title = [words.kindOf(attachment), attachment.name].filter(Boolean).join(' ')
    return `[${title}]${attachment.text ? ` ${attachment.text}` : ''}`
  })
  const offered = message.choices.map((choice) => `[${choice}]`).join(' ')
  return [words.textOf(message), offered, ...attached].filter(Boolean).join('\n')
}

function toJson(exported: ExportedChat, words: ExportWords): string {
  const chats = chatsOf(exported).map(({ variant, messages }) => ({
    variant,
    turns: messages.map((message) => ({
      author: message.author,
      text: words.textOf(message),
      at: new Date(message.createdAt).toISOString(),
      status: message.status,
      reason: message.reason,
      agentVersion: message.agentVersion,
      generation: message.generation,
      choices: message.choices,
      attachments: message.attachments.map(({ kind, name, status, text }) => ({ kind, name, status, text })),
      sources: message.sources.map(({ source, page, score }) => ({ source, page, score })),
    })),
  }))
  return `${JSON.stringify({ agent: exported.agent.name, exportedAt: new Date(exported.at).toISOString(), chats }, null, 2)}\n`
}
