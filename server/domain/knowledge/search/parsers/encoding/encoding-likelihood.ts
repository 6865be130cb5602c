// How likely bytes are text in each encoding that is not Unicode. Russian and Western European texts are recognised with certainty, by how their
// letters stand in words, also when they are short; for the others chardet gives the order, and a person decides.
import chardet from 'chardet'

/** `isSure`: it reads as language, and no other encoding does. */
export type Likely = { encoding: string; isSure: boolean }
type Scored = { encoding: string; score: number; text: string }

const CYRILLIC = ['windows-1251', 'koi8-r', 'ibm866', 'x-mac-cyrillic', 'iso-8859-5']
const WESTERN = ['windows-1252', 'macintosh']
/** Lead bytes of the characters that are in daily use. */
const DOUBLE_BYTE: Record<string, [number, number][]> = {
  gb18030: [
    [0xa1, 0xa9],
    [0xb0, 0xd7],
  ],
  big5: [[0xa1, 0xc6]],
  'euc-kr': [
    [0xa1, 0xac],
    [0xb0, 0xc8],
  ],
  'euc-jp': [
    [0xa1, 0xa8],
    [0xb0, 0xcf],
  ],
  shift_jis: [
    [0x81, 0x84],
    [0x88, 0x97],
  ],
}
/** Of 1,000 letters of Russian text. */
const SHARES = Object.entries({
  ...{
    о: 110,
    е: 85,
    а: 80,
    и: 74,
    н: 67,
    т: 63,
    с: 55,
    р: 47,
    в: 45,
    л: 44,
    к: 35,
    м: 32,
    д: 30,
    п: 28,
    у: 26,
    я: 20,
    ы: 19,
  },
  ...{ ь: 17, г: 17, з: 17, б: 16, ч: 14, й: 12, х: 10, ж: 9, ш: 7, ю: 6, ц: 5, щ: 4, э: 3, ф: 3, ъ: 0.4, ё: 0.4 },
})
const LOG_SHARES = new Map(SHARES.map(([letter, share]) => [letter, Math.log(share / 1_000)]))
/** What a letter costs that Russian does not have, and a word of mixed case. */
const STRANGE = 9
const FREQUENT = 'оеаинтсрвл'
const COMMON = 'кмдпуяыьгзбч'
const SIGN = /[–—«»№“”„…•·°©®™\u00a0]/gu
/** A letter or anything else beyond ASCII belongs to the word that it touches, but for the usual signs. */
const BETWEEN_WORDS = /[\t-\r -@[-`{-~–—«»№“”„…•·°©®™\u00a0]+/u
/** Letters beyond ASCII that one language uses: a text with some of several is in another encoding. */
const ALPHABETS = [
  'àâæçéèêëîïôœùûüÿ',
  'äöüß',
  'áéíóúñü¿¡ªº',
  'àèéìíîòóùú',
  'ãõáâàçéêíóôúü',
  'åäöæøéü',
  'áéíóöőúüű',
  'áðéíóúýþæö',
]
const SIGNS = '–—«»„“”‘’‚…•·°©®™€£§№½¼¾×±²³¡¿\u00a0'
/** Of a letter of Russian text on average, as in `LOG_SHARES`; other languages have rarer ones. */
const RUSSIAN_LEAST = -3.15
/** From this score on a text counts as language, and another encoding is ruled out by this lead. */
const SURE = { score: 0.85, lead: 0.25, letters: 3, evidence: 5 }
/** Signs before a word, as capital letters look in another encoding. */
const MISPLACED = /(?<![\p{L}\p{N}])[–—«»“”„…÷≈√ƒ∆¬](?=[а-яё])/gu
/** What reads so badly in its best-known encodings is rather in another. */
const UNLIKELY = { below: 0.7, factor: 0.4 }
/** Bytes beyond ASCII from which the library is believed for other alphabets. */
const MANY_BYTES = 200

/** The likeliest first. At least one. */
export function likelyEncodings(sample: Uint8Array): Likely[] {
  const cyrillic = CYRILLIC.map((encoding) => scored(sample, encoding, cyrillicScore)).sort(
    (a, b) => b.score - a.score || letterSum(b.text) - letterSum(a.text),
  )
  const western = WESTERN.map((encoding) => scored(sample, encoding, westernScore))
  const double = Object.keys(DOUBLE_BYTE).map((encoding) => ({
    encoding,
    score: doubleByteScore(sample, encoding),
    text: '',
  }))
  const found = chardet.analyse(sample).flatMap(({ name, confidence }) => {
    const encoding = labelOf(name)
    return encoding && !isScored(encoding) ? [{ encoding, score: Math.min(confidence, 75) / 100, text: '' }] : []
  })
  for (const each of [...cyrillic, ...western]) if (each.score < UNLIKELY.below) each.score *= UNLIKELY.factor
  const hebrew = asHebrew(cyrillic[0], sample)
  const all = [...cyrillic, ...western, ...double, ...found, ...hebrew].filter(({ score }) => score > 0)
  all.sort((a, b) => b.score - a.score)
  const [first] = all
  if (!first) return [...cyrillic, ...western].map(({ encoding }) => ({ encoding, isSure: false }))
  const isSure = isLanguage(first, all, sample)
  return all.map(({ encoding }, at) => ({ encoding, isSure: at === 0 && isSure }))
}

/** Capital letters of KOI8 are letters of Hebrew: which of the two it is shows in how often Russian has them, and is never sure. */
function asHebrew(first: Scored | undefined, sample: Uint8Array): Scored[] {
  const foreign = sample.filter((byte) => byte > 127)
  if (first?.encoding !== 'koi8-r' || foreign.some((byte) => byte < 0xe0 || byte > 0xfa)) return []
  const isRussian = evidenceOf(first.text) / foreign.length > RUSSIAN_LEAST
  return [{ encoding: 'windows-1255', score: first.score + (isRussian ? -0.01 : 0.01), text: '' }]
}

function isLanguage(first: Scored, all: Scored[], sample: Uint8Array): boolean {
  const foreign = sample.reduce((sum, byte) => (byte > 127 ? sum + 1 : sum), 0)
  if (first.score < SURE.score || foreign < SURE.letters || !isScored(first.encoding)) return false
  if (first.encoding in DOUBLE_BYTE && foreign < MANY_BYTES) return false
  return all.every((rival) => rival === first || isBehind(rival, first, foreign))
}

/** Where both read the same it says nothing: only words that differ are compared. */
function isBehind(rival: Scored, first: Scored, foreign: number): boolean {
  if (rival.text === '' || first.text === '') {
    return first.score - rival.score >= SURE.lead || isOnlyForm(first, rival, foreign)
  }
  if (rival.text === first.text) return true
  const own = first.text.split(WORD_ENDS)
  const others = rival.text.split(WORD_ENDS)
  const differing = (words: string[]) => words.filter((_, at) => own[at] !== others[at]).join(' ')
  if (own.length !== others.length) return first.score - rival.score >= SURE.lead
  const isCyrillic = CYRILLIC.includes(first.encoding) && CYRILLIC.includes(rival.encoding)
  if (isCyrillic && evidenceOf(differing(own)) - evidenceOf(differing(others)) >= SURE.evidence) return true
  return scoreOf(first.encoding, differing(own)) - scoreOf(rival.encoding, differing(others)) >= SURE.lead
}

/** How probable the letters are in Russian, as a sum of logarithms. */
function evidenceOf(text: string): number {
  let sum = 0
  for (const word of text.split(' ')) {
    const lower = word.toLowerCase()
    if (word !== lower && word !== word.toUpperCase() && word.slice(1) !== lower.slice(1)) sum -= STRANGE
    for (const letter of lower) if (letter > '\u007f') sum += LOG_SHARES.get(letter) ?? -STRANGE
  }
  return sum
}

/** The same bytes in every encoding here, so that words keep their places. */
const WORD_ENDS = /[\t-\r -@[-`{-~]+/

function scoreOf(encoding: string, text: string): number {
  return WESTERN.includes(encoding) ? westernScore(text) : cyrillicScore(text)
}

/** In a long text of words that all read as Russian, a rival of two-byte characters is an accident. */
function isOnlyForm(first: Scored, rival: Scored, foreign: number): boolean {
  return (
    CYRILLIC.includes(first.encoding) && first.score > 0.95 && rival.encoding in DOUBLE_BYTE && foreign >= MANY_BYTES
  )
}

function isScored(encoding: string): boolean {
  return CYRILLIC.includes(encoding) || WESTERN.includes(encoding) || encoding in DOUBLE_BYTE
}

/** The name by which the platform knows an encoding; null for one that it does not, and for Unicode, which is recognised without guessing. */
function labelOf(name: string): string | null {
  try {
    const { encoding } = new TextDecoder(name)
    return /^(?:utf|replacement)/.test(encoding) || name === 'ASCII' ? null : encoding
  } catch {
    return null
  }
}

function scored(sample: Uint8Array, encoding: string, score: (text: string) => number): Scored {
  const text = new TextDecoder(encoding).decode(sample)
  return { encoding, score: score(text), text }
}

/** 0 to 1: the share of letters beyond ASCII that stand in words as Russian has them. */
function cyrillicScore(text: string): number {
  let [good, letters, words] = [0, 0, 0]
  const signs = text.match(SIGN)?.length ?? 0
  for (const word of text.split(BETWEEN_WORDS)) {
    const foreign = word.replace(/\p{ASCII}/gu, '').length
    if (foreign === 0) continue
    letters += foreign
    good += foreign * wordScore(word)
    words++
  }
  if (letters === 0) return 0
  const isChopped = words > 2 && letters < words * 2.5
  const excess = Math.max(0, signs / (signs + letters) - 0.25)
  const misplaced = Array.from(text.matchAll(MISPLACED), ([sign]) => sign).filter(
    (sign) => !isClosed(sign, text),
  ).length
  return (good / (letters + misplaced * 3)) * (isChopped ? 0.5 : 1) * (1 - excess)
}

/** A quotation has an end. */
function isClosed(sign: string, text: string): boolean {
  return (
    (sign === '«' && text.includes('»')) ||
    ((sign === '“' || sign === '„') && /[”“]/.test(text.slice(text.indexOf(sign) + 1)))
  )
}

function wordScore(word: string): number {
  if (!/^[а-яёіїєґў]+$/i.test(word)) return /^[a-z]*[а-яё]+[a-z]*$/i.test(word) ? 0.5 : 0
  const lower = word.toLowerCase()
  const isCased = word === lower || word === word.toUpperCase() || word.slice(1) === lower.slice(1)
  if (!isCased) return 0
  const isSpoken =
    word.length < 4 ||
    (/[аеёиоуыэюяіїє]/.test(lower) && !/[бвгджзйклмнпрстфхцчшщьъ]{6}|[аеёиоуыэюя]{4}|[ъьы]{2}|^[ъьы]/.test(lower))
  const usual = Array.from(lower, letterWeight).reduce((sum, each) => sum + each, 0) / word.length
  return isSpoken ? Math.min(1, 0.25 + usual * 0.85) : 0.1
}

function letterWeight(letter: string): number {
  return FREQUENT.includes(letter) ? 1.2 : COMMON.includes(letter) ? 0.9 : 0.5
}

/** Distinguishes two encodings in which all words are possible. */
function letterSum(text: string): number {
  return Array.from(text.slice(0, 5_000)).reduce(
    (sum, each) => sum + (FREQUENT.includes(each) ? 2 : COMMON.includes(each) ? 1 : 0),
    0,
  )
}

/** 0 to 1: the share of characters beyond ASCII that one Western language would have there. */
function westernScore(text: string): number {
  const foreign = Array.from(text.match(/[^\p{ASCII}]/gu) ?? [])
  const latin = text.match(/[a-z]/gi)?.length ?? 0
  if (foreign.length === 0 || latin < foreign.length * 2) return 0
  const inWords = Array.from(text.matchAll(/[^\p{ASCII}]+/gu)).reduce((sum, { 0: run, index }) => {
    if (/[a-z]/.test(text[index - 1] ?? '') && /^\p{Lu}/u.test(run)) return sum // cafÈ
    const isAdjacent = /[a-z]/i.test(text[index - 1] ?? '') || /[a-z]/i.test(text[index + run.length] ?? '')
    return sum + (run.length <= 2 && (isAdjacent || SIGNS.includes(run) || run === 'à' || run === 'é') ? run.length : 0)
  }, 0)
  const known = ALPHABETS.map(
    (letters) => foreign.filter((each) => letters.includes(each.toLowerCase()) || SIGNS.includes(each)).length,
  )
  return (Math.max(...known) / foreign.length) * (inWords / foreign.length)
}

/** 0 to 1: the share of characters in daily use, where all bytes make characters. */
function doubleByteScore(sample: Uint8Array, encoding: string): number {
  const whole = sample.subarray(0, sample.length)
  try {
    new TextDecoder(encoding, { fatal: true }).decode(whole, { stream: true })
  } catch {
    return 0
  }
  let [usual, all] = [0, 0]
  for (let at = 0; at < whole.length; at++) {
    const byte = whole[at] ?? 0
    if (byte < 0x80) continue
    all++
    if (encoding === 'shift_jis' && byte >= 0xa1 && byte <= 0xdf) continue // half-width signs, one byte each
    if (DOUBLE_BYTE[encoding]?.some(([from, to]) => byte >= from && byte <= to)) usual++
    at++
  }
  return all === 0 ? 0 : (usual / all) * (encoding === 'euc-kr' ? 0.92 : 0.9)
}
