// Cyrillic to Latin, letter by letter, and back again as far as letters allow. Knows nothing of languages or stems.

const LATIN: Record<string, string> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
}

/** Longest spellings first, so that "sch" is not read as "s" and "ch". */
const CYRILLIC: [string, string][] = [
  ['sch', 'щ'],
  ['zh', 'ж'],
  ['kh', 'х'],
  ['ts', 'ц'],
  ['ch', 'ч'],
  ['sh', 'ш'],
  ['yu', 'ю'],
  ['ya', 'я'],
  ['ck', 'к'],
  ['a', 'а'],
  ['b', 'б'],
  ['c', 'к'],
  ['d', 'д'],
  ['e', 'е'],
  ['f', 'ф'],
  ['g', 'г'],
  ['h', 'х'],
  ['i', 'и'],
  ['j', 'дж'],
  ['k', 'к'],
  ['l', 'л'],
  ['m', 'м'],
  ['n', 'н'],
  ['o', 'о'],
  ['p', 'п'],
  ['q', 'к'],
  ['r', 'р'],
  ['s', 'с'],
  ['t', 'т'],
  ['u', 'у'],
  ['v', 'в'],
  ['w', 'в'],
  ['x', 'кс'],
  ['y', 'й'],
  ['z', 'з'],
]

/** Lower-case Russian letters to Latin ones; every other character is unchanged. */
export function toLatin(text: string): string {
  let latin = ''
  for (const letter of text) latin += LATIN[letter] ?? letter
  return latin
}

/** Lower-case Latin letters to the Russian ones they most likely stand for; every other character is unchanged. */
export function toCyrillic(text: string): string {
  let cyrillic = ''
  let at = 0
  while (at < text.length) {
    const match = CYRILLIC.find(([latin]) => text.startsWith(latin, at))
    cyrillic += match ? match[1] : text[at]
    at += match ? match[0].length : 1
  }
  return cyrillic
}
