// Kazakh words: one spelling for both keyboards, stems without endings, and the words by which a text is known to be Kazakh.

/** Letters that only Kazakh has among the languages that we read, and the Russian ones that are typed in their place. */
const LETTERS: Record<string, string> = { ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', һ: 'х', і: 'и' }
const KAZAKH_LETTER = /[әғқңөұүһі]/gu
/** Ukrainian and Belarusian have і as well, but hardly a sentence without one of these or a word that begins with a soft sign's apostrophe. */
const OTHER_LETTER = /[їєўґ]/u

/** Question words, particles and everyday verbs, folded. Words that Russian has too (`бар`, `на`) are not among them. */
const TELLING = new Set(
  `канша каншадан каншага кашан кайда кайдан калай кандай неше нешеде нешеден нешеге нешинши ма ме ба бе па пе барма жокпа
  барма сиз сиздер сиздерде сиздердин сизде сиздин биз бизде бизге менин маган ушин туралы жане немесе аркылы дейин кейин болады
  болама болмайды керек керекпе турады турсыз турат жок истейди истейсиз истейсиздер истей жумыс салем салеметсиз салеметсизбе
  рахмет кешириниз айтынызшы откинемин кай осы сол егер тек баска барлык бугин ертен кеше кун куни кундери уакыт уакыты бола
  аламын аламыз алам беринизши беру берилмейди берилуи мумкин емес гой`.split(/\s+/),
)
/** Beginnings of everyday words, folded, with which no Russian word begins: so a question typed without Kazakh letters is known. */
const TELLING_BEGINNING =
  /^(?:жеткиз|багас|багалар|ауыстыр|кайтар|толем|толеу|кепилд|орналас|мекенжай|жазыл|женилд|даригер|тура[кг]|дукен|емхан|конакуй|тапсырыс|кызмет|жондеу|киру|шыгу|танерт|журги|ашыл|ашык)/u
const PARTICLE = /(?:^|\s)(?:бар|жок)\s+(?:ма|па)(?![\p{L}])/u

/** Replaces lower-case Kazakh letters by the Russian ones used in their place; every other character is unchanged. */
export function foldKazakh(text: string): string {
  return text.replace(KAZAKH_LETTER, (letter) => LETTERS[letter] ?? letter)
}

/** How many words of a text are plainly Kazakh: by a letter of their own, or by what they say. 0 for a text without any. */
export function countKazakhWords(text: string): number {
  const lower = text.toLowerCase()
  if (OTHER_LETTER.test(lower)) return 0
  const words = lower.match(/\p{Script=Cyrillic}+/gu) ?? []
  const own = words.filter(isKazakhWord).length
  return own + (PARTICLE.test(foldKazakh(lower)) ? 1 : 0)
}

/** Whether a lower-case word is plainly Kazakh. */
export function isKazakhWord(word: string): boolean {
  return word.search(KAZAKH_LETTER) >= 0 || TELLING.has(word) || TELLING_BEGINNING.test(word)
}

/** Whether a lower-case word has no subject of its own in a Kazakh question. */
export function isKazakhStopWord(word: string): boolean {
  return TELLING.has(foldKazakh(word)) || FURTHER_STOP_WORDS.has(foldKazakh(word))
}

const FURTHER_STOP_WORDS = new Set(
  'бар мен бен пен да де та те ал не ол бул деп дейди еди екен гана басталады аякталады алдым алдык койдым болды кабылдайсыздар бересиздер жасайсыздар сагат кунде жерде жерден айтыныз айтып'.split(
    ' ',
  ),
)

/** Endings by kind, folded; of a kind the longest comes first. What follows them in a word is taken off before them. */
const ENDINGS = `
  сыздарга сиздерге сыздар сиздер ымызды имизди ынызды инизди ыныздын иниздин
  ларыныз лериниз дарыныз дериниз тарыныз териниз
  ымыз имиз ыныз иниз мыз миз ныз низ сыз сиз мын мин сын син
  ылады иледи ады еди йды йди атын етин йтын йтин ганда генде канда кенде ган ген кан кен
  лары лери дары дери тары тери лар лер дар дер тар тер
  нын нин дын дин тын тин ында инде нда нде ынан инен ынды инди
  дан ден тан тен нан нен мен бен пен ны ни ды ди ты ти га ге ка ке на не да де та те
  сы си ып ип са се ым им ын ин м н й у ы и а е`
  .trim()
  .split(/\s+/)
  .sort((one, other) => other.length - one.length)
const STEM_LEAST = 3
const ROUNDS_MOST = 5
/** Consonants that soften before a vowel: китап, китабы. */
const HARD: Record<string, string> = { г: 'к', б: 'п' }

/** The stem of a lower-case folded word: `жеткизесиздер`, `жеткизу` → `жеткиз`. Not a word of the dictionary, but the same for all its forms. */
export function kazakhStem(word: string): string {
  let stem = word
  for (let round = 0; round < ROUNDS_MOST; round++) {
    const ending = ENDINGS.find((each) => stem.endsWith(each) && isLeft(stem.slice(0, -each.length), each))
    if (ending === undefined) break
    stem = stem.slice(0, -ending.length)
  }
  const last = stem.at(-1) ?? ''
  return HARD[last] === undefined || stem.length <= STEM_LEAST ? stem : stem.slice(0, -1) + HARD[last]
}

/** A single consonant ends a word only after a vowel. */
function isLeft(rest: string, ending: string): boolean {
  if (rest.length < STEM_LEAST || !/[аеиоуыэюя]/u.test(rest)) return false
  return !/^[мнй]$/u.test(ending) || /[аеиоуыэюя]$/u.test(rest)
}
