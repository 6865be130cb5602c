// Code pages of Kazakh, which no decoder of the platform knows: windows-1251 with letters of Kazakh in the place of Serbian and Ukrainian ones.

/** Which byte is which letter, where it differs from windows-1251. */
const PAGES: Record<string, string> = {
  'kz-1048': '8dҚ 8eҺ 9dқ 9eһ a1Ұ a2ұ a3Ә a5Ө aaҒ afҮ b4ө baғ bcә bdҢ beң bfү',
  ptcp154:
    '80Җ 81Ғ 82Ӯ 83ғ 86Ҷ 87Ү 88Ҳ 89ү 8aҠ 8bӢ 8cҢ 8dҚ 8eҺ 8fҸ 90җ 98ҳ 99ҷ 9aҡ 9bӣ 9cң 9dқ 9eһ 9fҹ a4Ө a5Ҙ a6Ұ aaӘ adӯ afҜ b1ұ b4ҙ b5ө baә bdҪ beҫ bfҝ',
}
/** In words that are read as windows-1251: what Kazakh has instead, and neither Russian nor Ukrainian. */
const TELLING: Record<string, RegExp> = {
  'kz-1048': /[а-яіґєїў][ѕјќћ]|[ѕјќћЅЈЌЋ][а-яі]/gu,
  ptcp154: /[а-яі][њќµ±]|[њќµЊЌ][а-яі]/gu,
}
const LETTERS = Object.fromEntries(
  Object.entries(PAGES).map(([name, page]) => [
    name,
    new Map(
      page
        .split(' ')
        .map((pair) => [
          new TextDecoder('windows-1251').decode(Uint8Array.of(Number.parseInt(pair, 16))),
          pair.slice(2),
        ]),
    ),
  ]),
)

/** Whether it is one of these pages. */
export function isKazakhPage(encoding: string): boolean {
  return encoding in PAGES
}

/** Bytes in one of these pages. */
export function kazakhText(bytes: Uint8Array, encoding: string): string {
  const letters = LETTERS[encoding]
  return Array.from(new TextDecoder('windows-1251').decode(bytes), (letter) => letters?.get(letter) ?? letter).join('')
}

/** The pages in which a text may be written that was read as windows-1251, the likeliest first; mostly none. */
export function kazakhPagesOf(text: string): string[] {
  const counted = Object.entries(TELLING).map(([name, telling]) => ({ name, count: text.match(telling)?.length ?? 0 }))
  const possible = counted.filter(({ count }) => count > 0)
  return possible.sort((a, b) => b.count - a.count).map(({ name }) => name)
}
