// Other ways in which a word may have been written: in the other alphabet, on the wrong keyboard layout, by a brand's Russian name.
import { toCyrillic, toLatin } from '#server/platform/lib/text/transliterate.ts'

const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбюё'

const UNSURE_VOWEL = /[еэ]/g
const UNSURE_VOWELS_MOST = 4

/** Spoken names of brands, and borrowed words, that no letter rule leads to. Both directions. */
const BRANDS: [string, string][] = [
  ['вотсап', 'whatsapp'],
  ['ватсап', 'whatsapp'],
  ['вацап', 'whatsapp'],
  ['айфон', 'iphone'],
  ['айпад', 'ipad'],
  ['эпл', 'apple'],
  ['гугл', 'google'],
  ['ютуб', 'youtube'],
  ['фейсбук', 'facebook'],
  ['виндовс', 'windows'],
  ['винда', 'windows'],
  ['майкрософт', 'microsoft'],
  ['эксель', 'excel'],
  ['ворд', 'word'],
  ['вайфай', 'wifi'],
  ['блютуз', 'bluetooth'],
  ['пейпал', 'paypal'],
  ['виза', 'visa'],
  ['тикток', 'tiktok'],
  ['вайбер', 'viber'],
  ['скайп', 'skype'],
  ['зум', 'zoom'],
  ['инста', 'instagram'],
  ['юсб', 'usb'],
  ['куар', 'qr'],
  ['кьюар', 'qr'],
  ['сяоми', 'xiaomi'],
  ['хуавей', 'huawei'],
  ['хуавэй', 'huawei'],
  ['эйрпод', 'airpods'],
  ['плейстейшн', 'playstation'],
  ['ресепшн', 'reception'],
  ['ресепшен', 'reception'],
  ['ресепшион', 'reception'],
  ['мерс', 'mercedes'],
  ['фольксваген', 'volkswagen'],
  ['рено', 'renault'],
  ['джили', 'geely'],
  ['пежо', 'peugeot'],
  ['ситроен', 'citroen'],
  ['порше', 'porsche'],
  ['мицубиси', 'mitsubishi'],
]

/** The word in the other alphabet, likeliest first: a brand's own spelling, then letter by letter. */
export function otherAlphabet(word: string): string[] {
  const isRussian = /[а-я]/.test(word)
  const brands = isRussian
    ? BRANDS.filter(([russian]) => word.startsWith(russian)).map(([, latin]) => latin)
    : BRANDS.filter(([, latin]) => latin === word).map(([russian]) => russian)
  return [...brands, isRussian ? toLatin(word) : toCyrillic(word)]
}

/** The word as the other keyboard layout would have written it: `ghbdtn` → `привет`. */
export function otherKeyboard(word: string): string {
  const [from, to] = /[а-яё]/.test(word) ? [RUSSIAN_KEYS, LATIN_KEYS] : [LATIN_KEYS, RUSSIAN_KEYS]
  return Array.from(word, (letter) => to[from.indexOf(letter)] ?? letter).join('')
}

/** A borrowed word with other vowels, of which writers are unsure: «кешбек», «кешбэк» and «кэшбек» for «кэшбэк». */
export function otherVowels(word: string): string[] {
  const places = word.match(UNSURE_VOWEL)?.length ?? 0
  if (places === 0 || places > UNSURE_VOWELS_MOST) return []
  let forms = ['']
  for (const letter of word) {
    forms = forms.flatMap((form) => (letter === 'е' || letter === 'э' ? [`${form}е`, `${form}э`] : [form + letter]))
  }
  return forms.filter((form) => form !== word)
}
