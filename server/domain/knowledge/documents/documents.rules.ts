// What an upload is called and which format its name promises.
import path from 'node:path'
import { AppError } from '#shared/errors.ts'
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { DOCUMENT_NAME_MAX } from '#shared/limits.ts'

const FORMATS: Record<string, DocumentFormat> = {
  txt: 'txt',
  text: 'txt',
  md: 'md',
  markdown: 'md',
  csv: 'csv',
  json: 'json',
  html: 'html',
  htm: 'html',
  pdf: 'pdf',
  docx: 'docx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xls: 'xls',
  ods: 'ods',
  odt: 'odt',
  rtf: 'rtf',
  pptx: 'pptx',
  yaml: 'txt',
  yml: 'txt',
}
/** Control characters, and the ones that turn the direction of writing to disguise an extension. */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The name to show: without folders and invisible characters, shortened before its extension. Empty when nothing is left. */
export function displayName(name: string): string {
  const base = path.posix.basename(name.toWellFormed().replaceAll('\\', '/').replace(INVISIBLE, '')).trim()
  const extension = path.extname(base)
  if (base.length <= DOCUMENT_NAME_MAX || extension.length > 10) return base.slice(0, DOCUMENT_NAME_MAX)
  return base.slice(0, DOCUMENT_NAME_MAX - extension.length) + extension
}

/** Refuses what `curl -F` sends: the envelope of a form would be kept as part of the file. @throws AppError raw_body_expected */
export function assertRawBody(contentType: string | undefined): void {
  if (/^\s*multipart\//i.test(contentType ?? '')) throw new AppError('raw_body_expected')
}

/** Undefined for a format that is not accepted. */
export function formatOf(name: string): DocumentFormat | undefined {
  const extension = path.extname(name).slice(1).toLowerCase()
  return Object.hasOwn(FORMATS, extension) ? FORMATS[extension] : undefined
}
