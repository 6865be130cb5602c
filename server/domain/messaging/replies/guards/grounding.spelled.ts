// Numbers written out in words: Russian, English and Kazakh.

/** `from` and `to`: where it stands in the text. */
type Spelled = { value: number; from: number; to: number }

const WORDS = new Map<string, number>()
for (const [value, forms] of Object.entries({
  1: 'один одного одному одна одну одной one бір',
  1.5: 'полтора полторы полутора',
  2: 'два две двух двум two екі',
  3: 'три трех трем three үш',
  4: 'четыре четырех четырем four төрт',
  5: 'пять пяти five бес',
  6: 'шесть шести six алты',
  7: 'семь семи seven жеті',
  8: 'восемь восьми eight сегіз',
  9: 'девять девяти nine тоғыз',
  10: 'десять десяти ten',
  11: 'одиннадцать одиннадцати eleven',
  12: 'двенадцать двенадцати twelve',
  13: 'тринадцать тринадцати thirteen',
  14: 'четырнадцать четырнадцати fourteen',
  15: 'пятнадцать пятнадцати fifteen',
  16: 'шестнадцать шестнадцати sixteen',
  17: 'семнадцать семнадцати seventeen',
  18: 'восемнадцать восемнадцати eighteen',
  19: 'девятнадцать девятнадцати nineteen',
  20: 'двадцать двадцати twenty жиырма',
  30: 'тридцать тридцати thirty отыз',
  40: 'сорок сорока forty қырық',
  50: 'пятьдесят пятидесяти fifty елу',
  60: 'шестьдесят шестидесяти sixty алпыс',
  70: 'семьдесят семидесяти seventy жетпіс',
  80: 'восемьдесят восьмидесяти eighty сексен',
  90: 'девяносто ninety тоқсан',
  100: 'сто ста hundred жүз',
  200: 'двести двухсот',
  300: 'триста трехсот',
  400: 'четыреста четырехсот',
  500: 'пятьсот пятисот',
  600: 'шестьсот шестисот',
  700: 'семьсот семисот',
  800: 'восемьсот восьмисот',
  900: 'девятьсот девятисот',
  1000: 'тысяча тысячи тысяч тысячу тысячей thousand мың',
  1000000: 'миллион миллиона миллионов million',
})) {
  for (const form of forms.split(' ')) WORDS.set(form, Number(value))
}
/** Multiply what stands before them. */
const FACTORS = new Set([1000, 1_000_000])
/** The same of English and Kazakh, where a hundred has its count before it. */
const HUNDREDS = new Set(['hundred', 'жүз'])
const WORD = /\p{L}+/gu

/** Each run of words that is one number: «двадцать пять тысяч». */
export function spelledNumbersIn(text: string): Spelled[] {
  const found: (Spelled & { thousands: number; last: number })[] = []
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase().replaceAll('ё', 'е')
    const value = WORDS.get(word)
    if (value === undefined) continue
    const to = match.index + match[0].length
    const run = found.at(-1)
    const isNext = run !== undefined && /^[\s-]{1,2}$/u.test(text.slice(run.to, match.index))
    if (isNext && FACTORS.has(value)) {
      Object.assign(run, { thousands: (run.thousands + run.value) * value, value: 0, last: value, to })
    } else if (isNext && HUNDREDS.has(word) && run.value < 10) {
      Object.assign(run, { value: run.value * value, last: value, to })
    } else if (isNext && value < run.last && run.last >= 20) {
      Object.assign(run, { value: run.value + value, last: value, to })
    } else if (!FACTORS.has(value)) {
      found.push({ value, from: match.index, to, thousands: 0, last: value })
    }
  }
  return found.map(({ value, from, to, thousands }) => ({ value: thousands + value, from, to }))
}

const ORDINALS = [
  /^(?:перв|бірінші|first)/u,
  /^(?:втор|екінші|second)/u,
  /^(?:трет|үшінші|third)/u,
  /^(?:четверт|төртінші|fourth)/u,
  /^(?:пят|бесінші|fifth)/u,
  /^(?:шест|алтыншы|sixth)/u,
  /^(?:седьм|жетінші|seventh)/u,
  /^(?:восьм|сегізінші|eighth)/u,
  /^(?:девят|тоғызыншы|ninth)/u,
]
const FLOOR = /(\p{L}+)(?=\s(?:этаж|қабат|floor))/giu

/** Floors that are counted in words: «на втором этаже». */
export function floorsIn(text: string): Spelled[] {
  return [...text.matchAll(FLOOR)].flatMap(({ 0: written, index }) => {
    const word = written.toLowerCase().replaceAll('ё', 'е')
    const value = ORDINALS.findIndex((ordinal) => ordinal.test(word)) + 1
    return value === 0 ? [] : [{ value, from: index, to: index + written.length }]
  })
}
