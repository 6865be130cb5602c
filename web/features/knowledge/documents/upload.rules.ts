// What can be uploaded where, and which files are refused before a byte is sent.
import type { Id } from '#shared/ids.ts'
import { DOCUMENT_FORMATS } from '#shared/knowledge/knowledge.ts'
import { TABLE_FORMATS } from '#shared/knowledge/tables.ts'
import { DOCUMENT_MAX_BYTES, TABLE_MAX_BYTES } from '#shared/limits.ts'

/** `network` and `failed` happen while sending; the others before. Catalogue codes of the server may come too. */
export type UploadFailure =
  | 'unsupported_format'
  | 'file_too_large'
  | 'file_empty'
  | 'storage_full'
  | 'document_busy'
  | 'document_of_site'
  | 'document_gone'
  | 'network'
  | 'failed'

/** A document that a file can take the place of. */
export type NamedDocument = { documentId: Id<'documents'>; name: string }

/** What one route takes. */
export type UploadKind = {
  route: '/api/files/documents' | '/api/files/tables'
  /** As people name them. */
  formats: string
  /** For the file dialog. */
  extensions: readonly string[]
  maxBytes: number
  /** The text for a file of another format. */
  unsupported: 'unsupported_format' | 'unsupported_table'
}

/** Some accepted formats have other names, too. */
export const DOCUMENT_UPLOADS: UploadKind = {
  route: '/api/files/documents',
  formats: namesOf(DOCUMENT_FORMATS),
  extensions: extensionsOf([...DOCUMENT_FORMATS, 'htm', 'markdown', 'xlsm', 'yaml', 'yml']),
  maxBytes: DOCUMENT_MAX_BYTES,
  unsupported: 'unsupported_format',
}

export const TABLE_UPLOADS: UploadKind = {
  route: '/api/files/tables',
  formats: namesOf(TABLE_FORMATS),
  extensions: extensionsOf(TABLE_FORMATS),
  maxBytes: TABLE_MAX_BYTES,
  unsupported: 'unsupported_table',
}

/** Why a file cannot be taken; null when it can be sent. The server checks again, by content. */
export function refusalOf(file: { name: string; size: number }, kind: UploadKind): UploadFailure | null {
  const name = file.name.toLowerCase()
  if (!kind.extensions.some((extension) => name.endsWith(extension))) return 'unsupported_format'
  if (file.size > kind.maxBytes) return 'file_too_large'
  return file.size === 0 ? 'file_empty' : null
}

/** Whether sending a failed file again would fail again. */
export function isFinal(upload: { file: File; failure: UploadFailure | null }, kind: UploadKind): boolean {
  const { file, failure } = upload
  return failure === 'document_of_site' || failure === 'document_gone' || refusalOf(file, kind) !== null
}

function namesOf(formats: readonly string[]): string {
  return formats.join(', ').toUpperCase()
}

function extensionsOf(formats: readonly string[]): string[] {
  return formats.map((format) => `.${format}`)
}
