// What numbers of a table are numbers of: currencies and measures, one name for all spellings of each.

const CURRENCIES: [string, RegExp][] = [
  ['₽', /^(?:₽|р|руб(?:л(?:ь|я|ей|ю|ях|ям|и))?|rub|rur|roubles?|rubles?)$/iu],
  ['₸', /^(?:₸|тг|тенге|теңге\p{L}*|kzt|tenge)$/iu],
  ['$', /^(?:(?:us|u\.s\.)?\$|usd|долл\p{L}*|dollars?)$/iu],
  ['€', /^(?:€|eur|евро|euros?)$/iu],
  ['£', /^(?:£|gbp)$/iu],
  ['¥', /^(?:¥|cny|rmb|юан\p{L}*|yuan)$/iu],
  ['сом', /^(?:сом(?:а|у|ы|ов|ом|ах)?|kgs)$/iu],
  ['сум', /^(?:с[уў]м(?:у|ы|ов|ом|ах)?|so['’ʻʼ‘]?m|uzs)$/iu],
  ['₴', /^(?:₴|грн|uah)$/iu],
  ['BYN', /^(?:byn|br)$/iu],
  ['₾', /^(?:₾|GEL|лари)$/u],
  ['₼', /^(?:₼|AZN|манат\p{L}{0,2})$/u],
  ['֏', /^(?:֏|драм\p{L}{0,2})$/u],
  ['₺', /^(?:₺|TRY|TL|лир[аыу]?)$/u],
  ['₹', /^(?:₹|INR|[Rr]s)$/u],
  ['AED', /^(?:aed|dhs|дирхам\p{L}{0,2})$/iu],
  ['CHF', /^chf$/iu],
  ['zł', /^(?:zł|pln|злот\p{L}{0,3})$/iu],
  ['₩', /^(?:₩|krw)$/iu],
  ['₪', /^(?:₪|ils|nis)$/iu],
  ['฿', /^(?:฿|thb)$/iu],
]
const MEASURES: [string, RegExp][] = [
  ['шт', /^(?:шт|штук\p{L}*|pcs?|pieces?|дана)$/iu],
  ['м2', /^(?:м2|кв\.?м|m2|sqm)$/iu],
  ['м3', /^(?:м3|куб\.?м|m3)$/iu],
  ['уп', /^(?:уп|упак\p{L}*|packs?)$/iu],
  ['мин', /^(?:мин|минут\p{L}*|mins?|minutes?)$/iu],
  ['ч', /^(?:ч|час|часа|часов|сағат|h|hrs?|hours?)$/iu],
  ['дн', /^(?:дн|день|дня|дней|сут\p{L}*|күн|days?)$/iu],
  ['нед', /^(?:нед|недел\p{L}*|апта|weeks?)$/iu],
  ['мес', /^(?:мес|месяц\p{L}*|ай|months?)$/iu],
  ['год', /^(?:год|года|лет|жыл|years?)$/iu],
]
/** Units that may follow their number without a space; 100A is a code. */
const CLOSE = new Set(
  'мг г кг т шт уп м мм см км л мл м2 м3 руб р тг вт квт мб гб ч мин mg g kg t pcs pc m mm cm km l ml m2 m3 mb gb w kw'.split(
    ' ',
  ),
)
/** Signs of money. */
export const MONEY_SIGNS = '₽₸$€£¥₴₾₼֏₺₹₩₪฿'
const WORD_IN_NAME = new RegExp(`[${MONEY_SIGNS}]|[\\p{L}'’ʻʼ‘]+`, 'gu')
/** Names that hold a word like a currency and mean another thing: European sizes, and the Kazakh for a sum. */
const NO_CURRENCY = /размер|size|өлшем/iu
const KAZAKH_SUM = /^сома$/iu

/** The one name of a unit, however it is spelled: ₸ of `тг.`, ₽/м2 of `руб./м²`. Large and small letters of others differ: мВт is no МВт. */
export function unitOf(written: string): string {
  const parts = written.normalize('NFKC').replace(/\s+/g, '').split('/')
  return parts.map((part) => nameOf(part.replace(/\.+$/, ''))).join('/')
}

function nameOf(part: string): string {
  const known = [...CURRENCIES, ...MEASURES].find(([, pattern]) => pattern.test(part))
  return known ? known[0] : part.replaceAll('.', '')
}

/** Whether a unit is one of money, also of money for something: ₽/м2. */
export function isMoney(unit: string): boolean {
  const [first = ''] = unit.split('/')
  return CURRENCIES.some(([name]) => name === first)
}

/** Whether a unit may follow its number without a space. */
export function mayStandClose(written: string): boolean {
  const [word = ''] = written.normalize('NFKC').replaceAll('.', '').toLowerCase().split('/')
  return !/^\p{L}/u.test(word) || CLOSE.has(word) || isMoney(unitOf(word))
}

/** Words in the name of a column by which its numbers are thousands or millions: `Сумма, тыс. руб.` */
const SCALE_IN_NAME = /(?<!\p{L})(тыс|мың|млн|млрд|thousands?|millions?|mln)(?!\p{L})\.?/iu

/** The word for thousands or millions in the name of a column; undefined where there is none. */
export function scaleIn(name: string): string | undefined {
  return SCALE_IN_NAME.exec(name)?.[0]
}

/** The unit that the name of a column states, where it is one of money or of thousands: ₸ of `Цена, тг`, `тыс. ₽`. */
export function unitInName(name: string): string | undefined {
  const unit = [scaleIn(name), currencyIn(name)].filter(Boolean).join(' ')
  return unit === '' ? undefined : unit
}

/** Undefined for none and for several. */
function currencyIn(name: string): string | undefined {
  const words = NO_CURRENCY.test(name) ? [] : (name.match(WORD_IN_NAME) ?? []).filter((word) => !KAZAKH_SUM.test(word))
  const found = new Set(
    words
      .filter((word) => word.length > 1 || !/\p{L}/u.test(word))
      .map(unitOf)
      .filter(isMoney),
  )
  return found.size === 1 ? [...found][0] : undefined
}
