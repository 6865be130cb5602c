// Bytes → text, for files that do not say how they are encoded. Order: byte order mark, UTF-16, UTF-8, the HTML's own word, likelihood.
import { likelyEncodings } from './encoding-likelihood.ts'
import { isKazakhPage, kazakhPagesOf, kazakhText } from './kazakh-code-pages.ts'
import { readBack } from './twice-encoded.ts'

export type Decoded = {
  text: string
  encoding: string
  /** It may be another one: a person should choose. */
  isGuess: boolean
}

const SAMPLE_BYTES = 200_000
/** Two encodings in one file, line by line, as when exports were put together. */
const MIXED = 'utf-8+windows-1251'
const CHOICES_MAX = 6
const PREVIEW_CHARACTERS = 300

/** @param chosen the encoding that a person has chosen; null: it is found out */
export function decode(bytes: Uint8Array, isHtml = false, chosen: string | null = null): Decoded {
  if (chosen !== null) return { text: textIn(bytes, chosen), encoding: chosen, isGuess: false }
  const found =
    fromMark(bytes) ??
    fromUtf16(bytes) ??
    fromUtf8(bytes) ??
    (isHtml ? fromMeta(bytes) : undefined) ??
    byLikelihood(bytes)
  return found.encoding === 'utf-8' ? { ...found, text: readBack(found.text) } : found
}

/** Whether a person may choose it. */
export function isEncoding(name: string): boolean {
  if (name === MIXED || isKazakhPage(name)) return true
  try {
    return new TextDecoder(name).encoding !== 'replacement'
  } catch {
    return false
  }
}

/** In which encodings the bytes may be written, the likeliest first, and how the text begins in each. */
export function encodingChoices(bytes: Uint8Array): { encoding: string; preview: string }[] {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const likely = likelyEncodings(sample).map(({ encoding }) => encoding)
  const names = [...(isMixed(sample) ? [MIXED, 'utf-8'] : []), ...kazakhIn(sample, likely[0]), ...likely]
  const known = new Set<string>()
  return names.flatMap((encoding) => {
    const text = textIn(sample, encoding)
    if (known.has(text) || known.size === CHOICES_MAX) return []
    known.add(text)
    return [{ encoding, preview: previewOf(text) }]
  })
}

/** Kazakh code pages that may be meant where Russian is likely. */
function kazakhIn(sample: Uint8Array, likely: string | undefined): string[] {
  return likely === 'windows-1251' ? kazakhPagesOf(known(sample, likely).text) : []
}

/** From a little before the first letter that tells the encodings apart. */
function previewOf(text: string): string {
  const start = Math.max(0, text.search(/[^\p{ASCII}]/u) - 60)
  return text
    .slice(start, start + PREVIEW_CHARACTERS)
    .replaceAll('\0', '')
    .toWellFormed()
    .trim()
}

function textIn(bytes: Uint8Array, encoding: string): string {
  return encoding === MIXED
    ? linesOf(bytes)
        .map((line) => lineText(line))
        .join('')
    : known(bytes, encoding).text
}

function lineText(line: Uint8Array): string {
  return (fromUtf8(line) ?? known(line, 'windows-1251')).text
}

/** Some lines can only be UTF-8, others cannot be. */
function isMixed(bytes: Uint8Array): boolean {
  const foreign = linesOf(bytes).filter((line) => line.some((byte) => byte > 127))
  const inUtf8 = foreign.filter((line) => fromUtf8(line))
  return inUtf8.length > 0 && inUtf8.length < foreign.length
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at) + 1 || bytes.length
    lines.push(bytes.subarray(at, end))
    at = end
  }
  return lines
}

function fromMark(bytes: Uint8Array): Decoded | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return known(bytes, 'utf-8')
  if (a === 0xff && b === 0xfe) return known(bytes, 'utf-16le')
  if (a === 0xfe && b === 0xff) return known(bytes, 'utf-16be')
  return undefined
}

/** Whether it is UTF-16 without a mark; undefined when it is not. */
function fromUtf16(bytes: Uint8Array): Decoded | undefined {
  const order = utf16OrderOf(bytes)
  return order && known(bytes, order)
}

/**
 * Russian UTF-16 is valid UTF-8 byte by byte, so this is asked first: nearly every second byte is NUL or 0x04. In other alphabets the
 * spaces, digits and line ends alone have a NUL, always on the same side.
 */
export function utf16OrderOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES & ~1)
  const pairs = Math.floor(sample.length / 2)
  if (pairs < 2) return undefined
  const isHigh = [0, 0]
  const isNul = [0, 0]
  for (let at = 0; at < pairs * 2; at++) {
    const byte = sample[at]
    if (byte === 0 || byte === 4) isHigh[at & 1] = (isHigh[at & 1] ?? 0) + 1
    if (byte === 0) isNul[at & 1] = (isNul[at & 1] ?? 0) + 1
  }
  const [even = 0, odd = 0] = isHigh
  if (odd > pairs * 0.9 && even < pairs * 0.5) return 'utf-16le'
  if (even > pairs * 0.9 && odd < pairs * 0.5) return 'utf-16be'
  const [evenNul = 0, oddNul = 0] = isNul
  if (bytes.length % 2 === 1 || evenNul + oddNul < pairs * 0.03 || (evenNul > 0 && oddNul > 0)) return undefined
  const order = oddNul > 0 ? 'utf-16le' : 'utf-16be'
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\s]*$/u.test(known(sample, order).text) ? order : undefined
}

/** A file that was cut in the middle of its last character is one, too. */
function fromUtf8(bytes: Uint8Array): Decoded | undefined {
  for (const cut of [0, 1, 2, 3]) {
    const last = bytes[bytes.length - cut] ?? 0
    if (cut > 0 && (bytes.length < 64 || last < 0x80)) break
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytes.length - cut))
      return { text, encoding: 'utf-8', isGuess: false }
    } catch {}
  }
  return undefined
}

function fromMeta(bytes: Uint8Array): Decoded | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4096))
  const label = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]
  if (!label) return undefined
  try {
    return known(bytes, label)
  } catch {
    return undefined
  }
}

function byLikelihood(bytes: Uint8Array): Decoded {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  if (isMixed(sample)) return { text: textIn(bytes, MIXED), encoding: MIXED, isGuess: true }
  const [first] = likelyEncodings(sample)
  const [kazakh] = kazakhIn(sample, first?.encoding)
  if (kazakh) return { text: textIn(bytes, kazakh), encoding: kazakh, isGuess: true }
  const encoding = first?.encoding ?? 'windows-1251'
  return { text: known(bytes, encoding).text, encoding, isGuess: !first?.isSure }
}

function known(bytes: Uint8Array, encoding: string): Decoded {
  const text = isKazakhPage(encoding) ? kazakhText(bytes, encoding) : new TextDecoder(encoding).decode(bytes)
  return { text, encoding, isGuess: false }
}
