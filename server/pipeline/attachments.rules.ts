// What attachments are to a model. What a customer has said aloud is their own words; what stands in pictures and files is data.
import type { DataBlock } from '#server/llm/llm.ts'
import type { AttachmentFailure, AttachmentKind, AttachmentStatus } from '#shared/attachments.ts'
import type { Id } from '#shared/ids.ts'
import type { HistoryMessage } from './turn.store.ts'

/** An attachment of a message in the history of a turn. */
export type TurnAttachment = {
  id: Id<'attachments'>
  kind: AttachmentKind
  name: string | null
  mimeType: string | null
  durationSeconds: number | null
  status: AttachmentStatus
  text: string | null
  reason: AttachmentFailure | null
}

/** Characters that a model is given of what is attached to a question, and to what was said before. */
const QUESTION_CHARACTERS = 12_000
const EARLIER_CHARACTERS = 1000

const SPOKEN: ReadonlySet<AttachmentKind> = new Set(['voice', 'video_note'])

/**
 * A message as a model reads it: markers, and what was said aloud, in its text; what is to be kept apart in its data. `subject` is what
 * knowledge is searched by: the same without the markers.
 */
export function withAttachments(message: HistoryMessage, isQuestion: boolean): HistoryMessage {
  const { attachments } = message
  if (!attachments || attachments.length === 0) return message
  const limit = isQuestion ? QUESTION_CHARACTERS : EARLIER_CHARACTERS
  const lines = [message.text, ...attachments.map(lineOf)]
  const subject = [message.text, ...attachments.map(({ text }) => text ?? '')]
  const data = attachments.flatMap((attachment) => dataOf(attachment, limit))
  return { ...message, text: joined(lines), subject: joined(subject), ...(data.length > 0 && { data }) }
}

function joined(texts: string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n')
}

/** One line of the message, in the language of our other rules for models. */
function lineOf(attachment: TurnAttachment): string {
  const { kind, status, text } = attachment
  if (status !== 'ready') return `[${NAMES[kind]} that ${obstacle(attachment)}.${status === 'failed' ? ADVICE : ''}]`
  switch (kind) {
    case 'voice':
    case 'video_note':
      return `[${NAMES[kind]}] ${text ?? ''}`
    case 'sticker':
    case 'location':
    case 'contact':
      return `[${NAMES[kind]}: ${text ?? ''}]`
    default:
      return `[${NAMES[kind]}; what it holds stands below]`
  }
}

function dataOf({ kind, name, status, text }: TurnAttachment, limit: number): DataBlock[] {
  const title = TITLES[kind]
  if (status !== 'ready' || text === null || !title) return []
  const kept = text.length > limit ? `${text.slice(0, limit).toWellFormed()}… (cut)` : text
  return [{ title, text: name ? `File: ${name}\n\n${kept}` : kept }]
}

const NAMES: Record<AttachmentKind, string> = {
  voice: 'Voice message',
  audio: 'Recording',
  image: 'Picture',
  video: 'Video',
  video_note: 'Video message',
  document: 'File',
  sticker: 'Sticker',
  location: 'Location',
  contact: 'Contact',
  other: 'Something of another kind',
}
/** Kinds whose content is not the customer's own words. */
const TITLES: Partial<Record<AttachmentKind, string>> = {
  audio: 'What is said in the attached recording',
  image: 'What the attached picture shows',
  document: 'Text of the attached file',
}
const ADVICE = ' Tell the customer so, and ask for it in writing if it matters'

function obstacle({ kind, status, reason }: TurnAttachment): string {
  if (status === 'waiting') return SPOKEN.has(kind) ? 'nobody has listened to' : 'nobody has looked at'
  switch (reason) {
    case 'off':
    case 'unsupported':
      return 'you cannot open'
    case 'too_large':
    case 'too_long':
    case 'too_much':
      return 'is too much to be opened'
    case 'empty':
    case 'no_text_layer':
    case 'unreadable_text_layer':
      return SPOKEN.has(kind) ? 'holds no words that could be understood' : 'holds no text that could be read'
    case 'password_protected':
      return 'is protected by a password'
    case 'damaged':
    case 'type_mismatch':
      return 'is damaged'
    default:
      return 'could not be opened for a technical reason'
  }
}
