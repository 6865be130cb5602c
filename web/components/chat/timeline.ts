// The order in which a conversation is drawn: days, and within a day runs of messages by the same author.
import type { Message } from '#shared/conversations.ts'

/** Messages of one author that follow each other closely; drawn under one name. */
export type MessageRun = { key: string; author: Message['author']; authorName: string | null; messages: Message[] }
/** One day in the reader's time zone; `at` is the instant of its first message. */
export type TimelineDay = { key: string; at: number; runs: MessageRun[] }

/** A longer silence begins a new run even when the author is the same, milliseconds. */
const RUN_GAP_MS = 5 * 60_000

/**
 * Groups messages for drawing.
 *
 * @param messages oldest first
 * @param timeZone IANA name; the browser's own when left out
 */
export function timeline(messages: Message[], timeZone?: string): TimelineDay[] {
  const dayOf = dayKeys(timeZone)
  const days: TimelineDay[] = []
  for (const message of messages) {
    const key = dayOf(message.createdAt)
    let day = days.at(-1)
    if (day?.key !== key) {
      day = { key, at: message.createdAt, runs: [] }
      days.push(day)
    }
    const run = day.runs.at(-1)
    if (run && continues(run, message)) run.messages.push(message)
    else day.runs.push(newRun(message))
  }
  return days
}

/** Lines of the system, those that say the same in a row together. */
export function foldNotes(notes: Message[]): Message[][] {
  const folded: Message[][] = []
  for (const note of notes) {
    const last = folded.at(-1)
    if (last?.[0]?.text === note.text && last[0].reason === note.reason) last.push(note)
    else folded.push([note])
  }
  return folded
}

function continues(run: MessageRun, message: Message): boolean {
  const last = run.messages.at(-1)
  return (
    last !== undefined &&
    run.author === message.author &&
    run.authorName === message.authorName &&
    message.createdAt - last.createdAt < RUN_GAP_MS
  )
}

function newRun(message: Message): MessageRun {
  return { key: message._id, author: message.author, authorName: message.authorName, messages: [message] }
}

function dayKeys(timeZone: string | undefined): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone ? { timeZone } : {}),
  })
  return (at) => format.format(at)
}
