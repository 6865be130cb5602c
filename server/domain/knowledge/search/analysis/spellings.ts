// Other ways in which a word may have been written: in the other alphabet, on the wrong keyboard layout, by a brand's Russian name.
import { toCyrillic, toLatin } from '#server/platform/lib/text/transliterate.ts'

const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбюё'

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
