// The actual content type of a file, whatever its name says.
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { utf16OrderOf } from './encoding/encoding.ts'
import { ParseFailure } from './parse-failure.ts'

type Content = 'pdf' | 'zip' | 'ole' | 'encrypted-office' | 'rtf' | 'binary' | 'text'

const HEADER_BYTES = 1024
const SAMPLE_BYTES = 65_536
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
/** Share of control characters from which a file is no text. */
const CONTROL_SHARE = 0.02

/** What formats are that are no text. */
const CONTENT: Partial<Record<DocumentFormat, Content>> = {
  pdf: 'pdf',
  docx: 'zip',
  xlsx: 'zip',
  xls: 'ole',
  pptx: 'zip',
  odt: 'zip',
  ods: 'zip',
  rtf: 'rtf',
}

/** Programs write these formats in other ways, too: HTML, or a new workbook, under the name of an old one. */
const ALSO: Partial<Record<DocumentFormat, (bytes: Uint8Array, content: Content) => boolean>> = {
  xls: (bytes, content) =>
    content === 'zip' || (content === 'text' && /<(?:table|html|\?xml)/i.test(headOf(bytes, SAMPLE_BYTES))),
}
/** How other kinds of files begin: pictures, sound, films, archives, programs. */
const OTHER_KINDS = /^(?:\x89PNG|\xff\xd8\xff|GIF8|BM|RIFF|OggS|ID3|Rar!|7z\xbc\xaf|MZ|\x7fELF|....ftyp|II\*|MM.\*)/s

/**
 * @throws ParseFailure type_mismatch for another known type, damaged for an unknown one, password_protected for an encrypted Office
 * container, which is not a zip
 */
export function checkContent(bytes: Uint8Array, format: DocumentFormat): void {
  const content = contentOf(bytes)
  const expected = CONTENT[format] ?? 'text'
  if (content === expected || ALSO[format]?.(bytes, content)) return
  if (content === 'encrypted-office' && (expected === 'zip' || expected === 'ole'))
    throw new ParseFailure('password_protected')
  const isNothing = content === 'binary' && expected !== 'text' && !OTHER_KINDS.test(headOf(bytes, 16))
  throw new ParseFailure(isNothing ? 'damaged' : 'type_mismatch')
}

/** Whether a page calls itself a workbook, as exports of shops and accounting do. A workbook written as XML has tables too, and is none. */
export function isHtmlTable(bytes: Uint8Array): boolean {
  if (contentOf(bytes) !== 'text') return false
  const head = headOf(bytes, SAMPLE_BYTES)
  return /<(?:table|html)/i.test(head) && !/<(?:ss:)?Workbook[\s>]/.test(head)
}

function headOf(bytes: Uint8Array, most: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, most)).toString('latin1')
}

/** What the first bytes say. */
export function contentOf(bytes: Uint8Array): Content {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_BYTES))
  if (head.includes('%PDF-')) return 'pdf'
  if (head.length >= 4 && head.readUInt32LE(0) === 0x04034b50) return 'zip'
  if (OLE.every((byte, at) => head[at] === byte)) return isEncrypted(bytes) ? 'encrypted-office' : 'ole'
  if (head.subarray(0, 5).toString('latin1') === '{\\rtf') return 'rtf'
  return isText(bytes.subarray(0, SAMPLE_BYTES)) ? 'text' : 'binary'
}

function isEncrypted(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from('EncryptedPackage', 'utf16le'))
}

/** Few control characters; UTF-16, whose high bytes look like them, is recognised by their regular place. */
function isText(sample: Uint8Array): boolean {
  if (sample.every((byte) => byte === 0)) return true // empty, whatever it was meant to be
  if (utf16OrderOf(sample.subarray(0, sample.length & ~1))) return true
  const controls = sample.reduce((sum, byte) => (byte < 32 && ![9, 10, 12, 13].includes(byte) ? sum + 1 : sum), 0)
  return !sample.includes(0) && controls <= sample.length * CONTROL_SHARE
}
