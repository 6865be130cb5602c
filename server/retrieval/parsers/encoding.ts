// Bytes → text, for files that do not say how they are encoded. Order: byte order mark, UTF-16, UTF-8, the HTML's own word, scoring.

export type Decoded = {
  text: string
  encoding: string
  /** The choice was a close one. */
  isGuess: boolean
}

const SAMPLE_BYTES = 200_000
const CYRILLIC_ENCODINGS = ['windows-1251', 'koi8-r', 'ibm866', 'x-mac-cyrillic', 'iso-8859-5']
const FREQUENT = 'оеаинтсрвл'
const COMMON = 'кмдпуяыьгзбч'
const PUNCTUATION = '–—«»№“”…'
/** A winner that leads by less than this share was guessed. */
const CLEAR_MARGIN = 0.1

export function decode(bytes: Uint8Array, isHtml = false): Decoded {
  return (
    fromMark(bytes) ?? fromUtf16(bytes) ?? fromUtf8(bytes) ?? (isHtml ? fromMeta(bytes) : undefined) ?? byScore(bytes)
  )
}

function fromMark(bytes: Uint8Array): Decoded | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return known(bytes, 'utf-8')
  if (a === 0xff && b === 0xfe) return known(bytes, 'utf-16le')
  if (a === 0xfe && b === 0xff) return known(bytes, 'utf-16be')
  return undefined
}

/** Russian UTF-16 is valid UTF-8 byte by byte, so this comes first: nearly every second byte is NUL or 0x04. */
function fromUtf16(bytes: Uint8Array): Decoded | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES & ~1)
  const pairs = Math.floor(sample.length / 2)
  if (pairs < 2) return undefined
  const isHigh = [0, 0]
  for (let at = 0; at < pairs * 2; at++) {
    const byte = sample[at]
    if (byte === 0 || byte === 4) isHigh[at & 1] = (isHigh[at & 1] ?? 0) + 1
  }
  const [even = 0, odd = 0] = isHigh
  if (odd > pairs * 0.9 && even < pairs * 0.5) return known(bytes, 'utf-16le')
  if (even > pairs * 0.9 && odd < pairs * 0.5) return known(bytes, 'utf-16be')
  return undefined
}

function fromUtf8(bytes: Uint8Array): Decoded | undefined {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8', isGuess: false }
  } catch {
    return undefined
  }
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

function byScore(bytes: Uint8Array): Decoded {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const scored = [
    ...CYRILLIC_ENCODINGS.map((encoding) => ({ encoding, score: cyrillicScore(known(sample, encoding).text) })),
    { encoding: 'windows-1252', score: latinScore(known(sample, 'windows-1252').text) },
  ].sort((a, b) => b.score - a.score)
  const [winner, second] = scored
  const encoding = winner?.encoding ?? 'windows-1251'
  const lead = (winner?.score ?? 0) - (second?.score ?? 0)
  const isGuess = (winner?.score ?? 0) <= 0 || lead < (winner?.score ?? 0) * CLEAR_MARGIN
  return { text: known(bytes, encoding).text, encoding, isGuess }
}

/** Russian text scores high when its frequent letters come out in lower case, in runs. */
function cyrillicScore(text: string): number {
  let score = 0
  for (const [run] of text.matchAll(/\P{ASCII}{2,}/gu)) for (const letter of run) score += letterScore(letter)
  return score
}

function letterScore(letter: string): number {
  if (FREQUENT.includes(letter)) return 2
  if (COMMON.includes(letter)) return 1.2
  if (/[а-яё]/.test(letter)) return 0.6
  if (/[А-ЯЁ]/.test(letter)) return 0.2
  return PUNCTUATION.includes(letter) ? 0.5 : -2
}

/** Accented letters inside Latin words. */
function latinScore(text: string): number {
  return (text.match(/(?<=[a-zA-Z])[À-ÖØ-öø-ÿ](?=[a-zA-Z])/g) ?? []).length * 3
}

function known(bytes: Uint8Array, encoding: string): Decoded {
  return { text: new TextDecoder(encoding).decode(bytes), encoding, isGuess: false }
}
