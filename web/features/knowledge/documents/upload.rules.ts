// Which files are refused before a byte is sent, and why.
import { DOCUMENT_FORMATS } from '#shared/knowledge.ts'
import { DOCUMENT_MAX_BYTES } from '#shared/limits.ts'

/** `network` and `failed` happen while sending; the others before. Catalogue codes of the server may come too. */
export type UploadFailure = 'unsupported_format' | 'file_too_large' | 'file_empty' | 'network' | 'failed'

/** For the file dialog. `.htm` and `.markdown` are other names of accepted formats. */
export const ACCEPTED_EXTENSIONS = [...DOCUMENT_FORMATS, 'htm', 'markdown'].map((extension) => `.${extension}`)

/** Why a file cannot be taken; null when it can be sent. The server checks again, by content. */
export function refusalOf(file: { name: string; size: number }): UploadFailure | null {
  const name = file.name.toLowerCase()
  if (!ACCEPTED_EXTENSIONS.some((extension) => name.endsWith(extension))) return 'unsupported_format'
  if (file.size > DOCUMENT_MAX_BYTES) return 'file_too_large'
  return file.size === 0 ? 'file_empty' : null
}
