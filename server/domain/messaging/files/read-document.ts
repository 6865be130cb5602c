// The text of a document that came with a message, by the guarded parsers of the knowledge module.
import path from 'node:path'
import { ParseFailure } from '#server/domain/knowledge/search/parsers/parse-failure.ts'
import { parseFile } from '#server/domain/knowledge/search/parsers/parse-file.ts'
import { MediaFailure } from '#server/integrations/media/failures.ts'
import type { Understood } from '#server/integrations/media/media.ts'
import type { DocumentErrorReason, DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { ATTACHMENT_TEXT_MAX } from '#shared/limits.ts'
import type { AttachmentFailure } from '#shared/messaging/attachments.ts'

const FORMATS = new Map<string, DocumentFormat>([
  ['txt', 'txt'],
  ['text', 'txt'],
  ['log', 'txt'],
  ['csv', 'txt'],
  ['json', 'txt'],
  ['md', 'md'],
  ['markdown', 'md'],
  ['html', 'html'],
  ['htm', 'html'],
  ['pdf', 'pdf'],
  ['docx', 'docx'],
  ['xlsx', 'xlsx'],
  ['xls', 'xls'],
  ['ods', 'ods'],
  ['odt', 'odt'],
  ['rtf', 'rtf'],
  ['pptx', 'pptx'],
])

/**
 * The text of a document. Parses in a separate process, at no cost.
 * @param file its path on this machine @param name its extension tells the format
 * @throws MediaFailure when the format is not known or the file cannot be read
 */
export async function readDocument(file: string, name: string, signal: AbortSignal): Promise<Understood> {
  const format = formatOf(name)
  if (!format) throw new MediaFailure('unsupported')
  try {
    const { chunks } = await parseFile({ path: file, format, signal, options: { takesGuess: true } })
    if (chunks.length === 0) throw new ParseFailure('no_text_layer')
    const text = chunks.map(({ headingPath, body }) => [headingPath.join(' › '), body].filter(Boolean).join('\n'))
    return { text: text.join('\n\n').slice(0, ATTACHMENT_TEXT_MAX).toWellFormed(), call: null }
  } catch (error) {
    if (error instanceof ParseFailure) throw new MediaFailure(failureOf(error.reason))
    throw error
  }
}

function formatOf(name: string): DocumentFormat | undefined {
  return FORMATS.get(path.extname(name).slice(1).toLowerCase())
}

function failureOf(reason: DocumentErrorReason): AttachmentFailure {
  if (reason === 'cancelled' || reason === 'failed' || reason === 'not_started' || reason === 'file_elsewhere')
    return 'internal'
  return reason === 'invalid_json' || reason === 'encoding_unsure' ? 'damaged' : reason
}
