// Groups: a bot also receives messages of others there, and answers only those meant for it.
import type { TelegramMessage } from './telegram.schema.ts'

/** The bot as members mention it. `username` null: not known. */
export type Bot = { id: number; username: string | null }

const COMMAND = /^\/\w+(?:@(\w+))?/

/** Whether a message of a group is meant for the bot: a command, an answer to it, or its name. */
export function isForBot(message: TelegramMessage, bot: Bot): boolean {
  if (message.reply_to_message?.from?.id === bot.id && !isTopicRoot(message)) return true
  const text = textIn(message)
  const command = COMMAND.exec(text)
  if (command) return command[1] === undefined || isName(command[1], bot)
  return mentionsOf(message, bot).length > 0
}

/** The text without the bot's name in it: the mention is no part of the question. */
export function textFor(message: TelegramMessage, bot: Bot): string {
  const text = textIn(message)
  const without = mentionsOf(message, bot).reduceRight(
    (rest, { offset, length }) => `${rest.slice(0, offset)}${rest.slice(offset + length)}`,
    text,
  )
  return without.replace(/^[\s,:]+/, '').trim() || text.trim()
}

/** In a topic every message looks like a reply to the one that opened the topic. */
export function isTopicRoot({
  is_topic_message: isTopic,
  message_thread_id: thread,
  reply_to_message: to,
}: TelegramMessage) {
  return isTopic === true && to?.message_id === thread
}

function mentionsOf(message: TelegramMessage, bot: Bot) {
  const text = textIn(message)
  const entities = message.text === undefined ? message.caption_entities : message.entities
  return (entities ?? []).filter(
    ({ type, offset, length }) => type === 'mention' && isName(text.slice(offset + 1, offset + length), bot),
  )
}

function isName(name: string, { username }: Bot): boolean {
  return username !== null && name.toLowerCase() === username.toLowerCase()
}

function textIn({ text, caption }: TelegramMessage): string {
  return text ?? caption ?? ''
}
