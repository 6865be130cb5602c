// What the bytes of a file are, whatever its name says.
import type { DocumentFormat } from '#shared/knowledge.ts'
import { ParseFailure } from './parse-failure.ts'

type Content = 'pdf' | 'zip' | 'ole' | 'encrypted-office' | 'rtf' | 'binary' | 'text'

const HEADER_BYTES = 1024
const SAMPLE_BYTES = 65_536
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
/** Share of control characters from which a file is no text. */
const CONTROL_SHARE = 0.02

/** What formats are that are no text. */
const CONTENT: Partial<Record<DocumentFormat, Content>> = { pdf: 'pdf', docx: 'zip', xlsx: 'zip' }

/** @throws ParseFailure type_mismatch, or password_protected for an encrypted Office container, which is no zip */
export function checkContent(bytes: Uint8Array, format: DocumentFormat): void {
  const content = contentOf(bytes)
  const expected = CONTENT[format] ?? 'text'
  if (expected === 'zip' && content === 'encrypted-office') throw new ParseFailure('password_protected')
  if (content !== expected) throw new ParseFailure('type_mismatch')
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
  let controls = 0
  const highBytes = [0, 0]
  for (const [at, byte] of sample.entries()) {
    if (byte === 0 || byte === 4) highBytes[at & 1] = (highBytes[at & 1] ?? 0) + 1
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) controls++
  }
  const regular = Math.max(...highBytes)
  if (regular > (sample.length / 2) * 0.9) return true
  return !sample.includes(0) && controls <= sample.length * CONTROL_SHARE
}
