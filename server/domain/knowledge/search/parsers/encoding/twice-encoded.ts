// UTF-8 that was misread as a one-byte encoding and encoded again: "РџСЂР°Р№СЃ" is «Прайс». Decoded where all of it can be.

/** What two letters of ours look like then, and how many of them make it certain. */
const LOOKS: [string, RegExp][] = [
  ['windows-1251', /[РСТЎ][\u00a0-\u00bf\u0400-\u045f\u0490\u0491\u2010-\u203a\u20ac\u2116\u2122]/g],
  ['windows-1252', /[ÐÑÃÂÒÓ][\u0080-\u00bf\u0152-\u0178\u0192\u02c6\u02dc\u2010-\u203a\u20ac\u2122]/g],
]
const LEAST = 4
const byteTables = new Map<string, Map<string, number>>()

/** The text as it was meant, line by line; the same text where it is as it was meant. */
export function readBack(text: string): string {
  const look = LOOKS.find(([, pattern]) => (text.match(pattern)?.length ?? 0) >= LEAST)
  if (!look) return text
  const [encoding, pattern] = look
  return text
    .split('\n')
    .map((line) => (pattern.test(line) ? (meantBy(line, encoding) ?? line) : line))
    .join('\n')
}

/** Undefined where a letter has no byte, or the bytes are no UTF-8. */
function meantBy(line: string, encoding: string): string | undefined {
  const table = byteTables.get(encoding) ?? tableOf(encoding)
  byteTables.set(encoding, table)
  const bytes: number[] = []
  for (const letter of line) {
    const byte = table.get(letter)
    if (byte === undefined) return undefined
    bytes.push(byte)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}

function tableOf(encoding: string): Map<string, number> {
  const decoder = new TextDecoder(encoding)
  return new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
}
