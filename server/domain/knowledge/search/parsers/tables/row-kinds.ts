// Classifies a row of a sheet by its contents: a header, a sum, a note, a line with the shop's telephone. Russian, English, Kazakh.
import { readQuantity } from './quantities.ts'
import { isMoney, unitOf } from './units.ts'
import { isWithoutNumber } from './words-for-numbers.ts'

/** Beginnings of names of columns, and short names as a whole. */
const HEADER_WORD =
  /^(?:№|п\/п|наимен|назван|товар|услуг|продук|издели|модел|артикул|стоим|количес|остат|налич|в наличии|единиц|категор|групп|раздел|бренд|производ|размер|объ[её]м|скидк|розниц|описан|примеч|коммент|характер|ссылк|склад|адрес|пункт|час[ыа](?![\p{L}])|график|режим|район|контакт|телефон|почта|вопрос|ответ|расход|доход|показател|значени|параметр|месяц|период|страна|регион|состав|длина|ширина|высота|толщина|мощност|гаранти|доставк|врач|специал|отдел|должн|филиал|услови|тариф|номенкл|позици|поставщ|поступ|привоз|штрих|упаков|материал|статус|продаж|номер|product|service|model|price|amount|quant|stock|avail|in stock|category|group|section|brand|colou?r|weight|volume|discount|descr|comment|photo|warehouse|hours|branch|contact|address|phone|question|answer|country|param|status|arrived|мекенжай|сағат|тауар|қызмет|баға|қалды|өлшем|бірлік|санат|бөлім|салмағ|ескерту|мерзім|атау|(?:n|no|id|код|марка|арт|цен[аыу]?|сумм[аы]|кол-?во|ед|ед\. ?изм|тип|вид|цвет|вес|масса|опт|розн|срок|дата|фото|город|имя|фио|e-?mail|год|время|день|сорт|акция|есть|знак|доля|item|name|title|sku|code|cost|rate|fee|qty|unit|type|size|date|note|url|link|city|month|year|value|total|key|саны|топ|түсі|күні)(?![\p{L}\p{N}]))/iu
const CONTACT =
  /(?:\w@[\w-]+\.\w|https?:\/\/|\bwww\.|(?:^|[^\d])(?:\+?[78][\s(-]*\d{3}[\s)-]*\d{3}[\s-]?\d{2}[\s-]?\d{2})(?!\d)|(?:тел|факс|phone|tel|инн|бин|иин|кпп|р\/с|ogrn|огрн)\.?\s*(?::\s*)?[+\d(])/iu
const TOTAL =
  /^(?:общий итог|итог[ои]?(?:\s+(?:по|за|без|с|к|в)\s.*)?|всего(?:\s+(?:по|за|к|в|без|с)\s.*)?|(?:grand |sub-?)?totals?(?:\s+(?:for|of|by|due|amount|in)\s.*)?|сумма|sum|барлығы|жиыны|жалпы(?: сома)?|к оплате|баары|jami|жами|разом|всього|усього|toplam|razem|gesamt)\s*:?$/iu
/** A tax on the sum above it. */
const TAX =
  /^(?:(?:в т(?:ом числе|\.?\s?ч\.?)|вкл\p{L}*\.?|incl(?:uding|\.)?|оның ішінде)\s*)?(?:ндс|vat|(?:sales )?tax|ққс)(?:\s*\(?\d.*)?\s*:?$/iu
const SUMMARIES: [RegExp, (values: number[]) => number][] = [
  [/^(?:средн[еия]\p{L}*|average|avg\.?|mean|орташа)/iu, (values) => values.reduce((a, b) => a + b, 0) / values.length],
  [/^(?:макс(?:имум|имальн\p{L}*|\.)?|max(?:imum|\.)?|ең көп)(?!\p{L})/iu, (values) => Math.max(...values)],
  [/^(?:мин(?:имум|имальн\p{L}*|\.)?|min(?:imum|\.)?|ең аз)(?!\p{L})/iu, (values) => Math.min(...values)],
]
const NOTE =
  /^(?:[*†‡¹²³⁴⁵⁶⁷⁸⁹]|примечани|прим\.|внимание|важно|цены (?:указаны|действ|без|с )|цена (?:указана|действ)|все цены|прайс действ|действ|по всем вопросам|скидк[аи] (?:от|при)|минимальн|доставка (?:по|от|при)|наш (?:адрес|сайт)|контакт|исп\.|исполнитель|директор|составил|notes?\b|nb\b|prices? (?:are|valid|include|exclude|in )|all prices|terms|valid (?:until|from)|contact|prepared by|ескерту|бағалар)/iu
const UNIT_LIKE =
  /^[([]?\s*(?:[₽₸$€£%]|(?:тыс\.?\s*)?\p{L}[\p{L}.]{0,6}[²³23]?(?:\s?\/\s?\p{L}[\p{L}.]{0,6}[²³23]?)?)\s*[)\]]?$/u
const KNOWN_UNITS = new Set(
  'мг г кг т шт уп м мм см км л мл м2 м3 % ₽ ₸ $ € £ ч мин дн мес mg g kg t pcs m mm cm km l ml'.split(' '),
)
/** Longer cells name no column. */
const HEADER_CELL_MAX = 80
const NOTE_LENGTH = 100

export function filledIn(row: readonly string[]): number {
  return row.reduce((count, cell) => count + (cell === '' ? 0 : 1), 0)
}

/** A number such as a price or a stock: no year, no size of a package, no range. */
export function isPlainNumber(cell: string): boolean {
  const quantity = readQuantity(cell)
  if (!quantity || quantity.bound === 'range') return /^[+-]?\d+$/.test(cell)
  if (quantity.unit !== null && !isMoney(quantity.unit)) return false
  return quantity.bound === 'exact' && !isYear(cell)
}

export function isYear(cell: string): boolean {
  return /^(?:19|20)\d\d(?:\s?(?:г\.?|год|year))?$/.test(cell)
}

/** A cell that says something of an item: a number, a day, that there is no price. */
export function isValue(cell: string): boolean {
  return isPlainNumber(cell) || /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(cell) || readQuantity(cell)?.bound === 'exact'
}

export function isContact(cell: string): boolean {
  return CONTACT.test(cell)
}

/** Whether a row holds nothing but names: it may be a header. */
export function mayBeHeader(row: readonly string[]): boolean {
  const filled = row.filter(Boolean)
  const words = wordShare(row)
  return filled.every(
    (cell) =>
      cell.length <= HEADER_CELL_MAX &&
      !isContact(cell) &&
      !isPlainNumber(cell) &&
      (!isWithoutNumber(cell) || (words > 0.5 && HEADER_WORD.test(cell))),
  )
}

/** Share of a row's cells that are words by which columns are called. */
export function wordShare(row: readonly string[]): number {
  const filled = row.filter(Boolean)
  return filled.length === 0 ? 0 : filled.filter((cell) => HEADER_WORD.test(cell)).length / filled.length
}

/** Whether a row holds numbers of the columns: 1, 2, 3. */
export function numbersColumns(row: readonly string[]): boolean {
  const filled = row.filter(Boolean)
  const [first] = filled
  return filled.length > 1 && first === '1' && filled.every((cell, at) => cell === String(at + 1))
}

/** What stands at the beginning of a row of sums. */
export function saysTotal(row: readonly string[]): boolean {
  const first = row.find(Boolean) ?? ''
  return TOTAL.test(first) || TAX.test(first)
}

/** What a row is that calls itself the average, the largest or the smallest of those above it; undefined for any other. */
export function summaryOf(row: readonly string[]): ((values: number[]) => number) | undefined {
  const first = row.find(Boolean) ?? ''
  return SUMMARIES.find(([name]) => name.test(first))?.[1]
}

/** What a row adds up by its name, «чай» of «Итого чай»; undefined where its name says nothing of the kind. */
export function totalledIn(row: readonly string[]): string | undefined {
  return /^(?:итого|всего|subtotal|total|барлығы)\s+(\p{L}.*)$/iu.exec(row.find(Boolean) ?? '')?.[1]
}

/** Whether a text is no item, whatever else the row holds: a note below a table, a signature, an address. */
export function isNote(text: string): boolean {
  return NOTE.test(text) || /_{3}/.test(text) || text.length > NOTE_LENGTH || isContact(text)
}

/** Whether all cells are units of the columns above: руб., (кг), %. */
export function areUnits(cells: readonly string[]): boolean {
  return cells.every((cell) => {
    if (!UNIT_LIKE.test(cell)) return false
    const unit = unitOf(cell.replace(/[()[\]\s]/g, '').replace(/^тыс\.?/iu, ''))
    return isMoney(unit) || KNOWN_UNITS.has(unit.split('/')[0]?.toLowerCase() ?? '')
  })
}
