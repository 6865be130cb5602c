// The order in which a conversation is drawn: days, and within a day runs of messages by the same author.
import type { Message } from '#shared/messaging/conversations.ts'
import type { Note } from '#shared/messaging/operator-tools.ts'

/** Messages of one author that follow each other closely, drawn under one name; or a note of the team in their place. */
export type MessageRun = {
  key: string
  author: Message['author']
  authorName: string | null
  messages: Message[]
  note?: Note
}
/** One day in the reader's time zone; `at` is the instant of what came first. */
export type TimelineDay = { key: string; at: number; runs: MessageRun[] }

/** A longer silence begins a new run even when the author is the same, milliseconds. */
const RUN_GAP_MS = 5 * 60_000

/**
 * Groups messages for drawing.
 *
 * @param messages oldest first
 * @param timeZone IANA name; the browser's own when left out
 * @param notes oldest first; each stands where it was written
 */
export function timeline(messages: Message[], timeZone?: string, notes: Note[] = []): TimelineDay[] {
  const dayOf = dayKeys(timeZone)
  const days: TimelineDay[] = []
  for (const entry of inOrder(messages, notes)) {
    const key = dayOf(entry.createdAt)
    let day = days.at(-1)
    if (day?.key !== key) {
      day = { key, at: entry.createdAt, runs: [] }
      days.push(day)
    }
    const run = day.runs.at(-1)
    if (!('status' in entry)) day.runs.push(noteRun(entry))
    else if (run && continues(run, entry)) run.messages.push(entry)
    else day.runs.push(newRun(entry))
  }
  return days
}

/** Messages in their own order, and before each the notes that are older than it. */
function inOrder(messages: Message[], notes: Note[]): (Message | Note)[] {
  const left = [...notes]
  return [...messages.flatMap((message) => [...olderThan(left, message.createdAt), message]), ...left]
}

/** Takes the notes from the front that are older than an instant. */
function olderThan(notes: Note[], at: number): Note[] {
  const until = notes.findIndex((note) => note.createdAt >= at)
  return notes.splice(0, until < 0 ? notes.length : until)
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
    last.operator?._id === message.operator?._id &&
    message.createdAt - last.createdAt < RUN_GAP_MS
  )
}

function noteRun(note: Note): MessageRun {
  return { key: note._id, author: 'operator', authorName: note.author?.name ?? null, messages: [], note }
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
