// Attachments as the model reads them. Transcribed speech counts as the customer's own words; text in pictures and files is data.
import { ATTACHMENT_NAMES } from '#server/domain/messaging/files/attachments.words.ts'
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'
import type { HistoryMessage, TurnAttachment } from './turn.ts'

/** Maximum characters per attachment for the model: of a question, and of an earlier message. */
const QUESTION_CHARACTERS = 12_000
const EARLIER_CHARACTERS = 1000

const SPOKEN: ReadonlySet<AttachmentKind> = new Set(['voice', 'video_note'])

/** Markers are in the customer's language, since models tend to answer in the language of a marker. */
export type MarkerLanguage = 'en' | 'ru'

/**
 * A message as the model reads it: markers and transcribed speech in its text, all other content in its data. `subject` is the search
 * query for knowledge: the text without the markers.
 */
export function withAttachments(
  message: HistoryMessage,
  { isQuestion, language }: { isQuestion: boolean; language: MarkerLanguage },
): HistoryMessage {
  const { attachments } = message
  if (!attachments || attachments.length === 0) return message
  const limit = isQuestion ? QUESTION_CHARACTERS : EARLIER_CHARACTERS
  const isOwn = !message.passedOn
  const lines = [message.text, ...attachments.map((attachment) => lineOf(attachment, MARKERS[language], isOwn))]
  const subject = [message.text, ...attachments.map(({ text }) => text ?? '')]
  const data = attachments.flatMap((attachment) => dataOf(attachment, limit, isOwn))
  return { ...message, text: joined(lines), subject: joined(subject), ...(data.length > 0 && { data }) }
}

function joined(texts: string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n')
}

/** @param isOwn recorded by the customer; otherwise forwarded, so that even its speech is not their own words */
function lineOf(attachment: TurnAttachment, markers: Markers, isOwn: boolean): string {
  const { names, below, waiting, advice, obstacles } = markers
  const { kind, name, status, text } = attachment
  if (status === 'waiting') return `[${names[kind]}: ${waiting}]`
  if (status === 'failed') return `[${names[kind]}: ${obstacles[obstacleOf(attachment)]}. ${advice}]`
  switch (kind) {
    case 'voice':
    case 'video_note':
      return isOwn ? `[${names[kind]}] ${text ?? ''}` : `[${names[kind]}: ${below}]`
    case 'sticker':
    case 'location':
    case 'contact':
    case 'other':
      return `[${[names[kind], name, text].filter(Boolean).join(': ')}]`
    default:
      // Attachments that the team sent are never read.
      return text === null ? `[${[names[kind], name].filter(Boolean).join(': ')}]` : `[${names[kind]}: ${below}]`
  }
}

function dataOf({ kind, name, status, text }: TurnAttachment, limit: number, isOwn: boolean): DataBlock[] {
  const title = TITLES[kind] ?? (!isOwn && SPOKEN.has(kind) ? TITLES.audio : undefined)
  if (status !== 'ready' || text === null || !title) return []
  const kept = text.length > limit ? `${text.slice(0, limit).toWellFormed()}… (cut)` : text
  return [{ title, text: name ? `File: ${name}\n\n${kept}` : kept }]
}

/** Kinds whose content is not the customer's own words. */
const TITLES: Partial<Record<AttachmentKind, string>> = {
  audio: 'What is said in the attached recording',
  image: 'What the attached picture shows',
  document: 'Text of the attached file',
}

type Obstacle = 'closed' | 'too_much' | 'wordless' | 'textless' | 'password' | 'damaged' | 'technical'
type Markers = {
  names: Record<AttachmentKind, string>
  below: string
  waiting: string
  advice: string
  obstacles: Record<Obstacle, string>
}

const MARKERS: Record<MarkerLanguage, Markers> = {
  en: {
    names: ATTACHMENT_NAMES.en,
    below: 'what it holds stands below',
    waiting: 'nobody has opened it',
    advice: 'Tell the customer so, and ask for it in writing if it matters',
    obstacles: {
      closed: 'you cannot open it',
      too_much: 'it is too much to be opened',
      wordless: 'no words could be understood',
      textless: 'no text could be read',
      password: 'it is protected by a password',
      damaged: 'it is damaged',
      technical: 'it could not be opened for a technical reason',
    },
  },
  ru: {
    names: ATTACHMENT_NAMES.ru,
    below: 'содержание приведено ниже',
    waiting: 'его никто не открывал',
    advice: 'Скажи об этом клиенту и, если это важно, попроси написать текстом',
    obstacles: {
      closed: 'открыть его ты не можешь',
      too_much: 'слишком большой объём, открыть не удалось',
      wordless: 'слов разобрать не удалось',
      textless: 'текста прочитать не удалось',
      password: 'защищено паролем',
      damaged: 'файл повреждён',
      technical: 'открыть не удалось по технической причине',
    },
  },
}

function obstacleOf({ kind, reason }: TurnAttachment): Obstacle {
  switch (reason) {
    case 'off':
    case 'unsupported':
      return 'closed'
    case 'too_large':
    case 'too_long':
    case 'too_much':
      return 'too_much'
    case 'empty':
    case 'no_text_layer':
    case 'unreadable_text_layer':
      return SPOKEN.has(kind) ? 'wordless' : 'textless'
    case 'password_protected':
      return 'password'
    case 'damaged':
    case 'type_mismatch':
      return 'damaged'
    default:
      return 'technical'
  }
}
