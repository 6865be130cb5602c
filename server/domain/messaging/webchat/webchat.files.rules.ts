// Which files visitors of the web chat may send: pictures that browsers show and documents that an agent reads. The bytes decide which it
// is, and a name that disagrees is corrected, because readers of documents go by it.
import path from 'node:path'
import type { Upload } from '#server/domain/messaging/files/uploads.rules.ts'

const IMAGES: Partial<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
}
const DOCUMENTS: Partial<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
}
/** Types that the bytes do not tell: any text may have these names. */
const TEXTS: Partial<Record<string, string>> = {
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
}

/**
 * The file as it is stored; undefined for what is not accepted.
 *
 * @param found type of its bytes; undefined: not known, as for texts
 */
export function visitorFileOf(
  found: string | undefined,
  name: string,
  bytes: Uint8Array,
): Pick<Upload, 'kind' | 'name' | 'mimeType'> | undefined {
  const extension = path.extname(name).toLowerCase()
  if (found === undefined) {
    const mimeType = TEXTS[extension]
    return mimeType && isText(bytes) ? { kind: 'document', name, mimeType } : undefined
  }
  const image = IMAGES[found]
  if (image) return { kind: 'image', name, mimeType: found }
  const document = DOCUMENTS[found]
  if (!document) return undefined
  return { kind: 'document', name: extension === document ? name : name + document, mimeType: found }
}

/** Text contains no zero bytes, unless it begins with the mark of a two-byte encoding. */
function isText(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || !bytes.includes(0)
}
