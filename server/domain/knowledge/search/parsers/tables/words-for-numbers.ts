// Words in place of a number: some stand for a number, others for its absence. Russian, English, Kazakh.

const STOCK =
  /остат|налич|кол-?во|количеств|запас|на складе|склад|\bstock\b|\bqty\b|quantity|in stock|available|on hand|саны|қалды|қойма/iu
const PRICE = /цен[аыу]|стоимост|тариф|прайс|розниц|^опт|сумма|price|cost\b|\brate\b|\bfee\b|amount|баға|құны/iu

/** Of stock: there is none. */
const NONE =
  /^(?:нет|нет в наличии|нету|отсутствует|законч\p{L}*|распродан\p{L}*|продан\p{L}*|none|no|out of stock|sold out|жоқ|таусылды|[-–—]+)$/iu
/** Of a price: nothing is paid. */
const FREE = /^(?:бесплатн\p{L}*|безвозмездно|даром|(?:в )?подарок|free(?: of charge)?|complimentary|gratis|тегін)$/iu
const WITHOUT_NUMBER =
  /^(?:(?:цена )?(?:по|под|на) (?:запрос\p{L}*|заказ\p{L}*|договор\p{L}*|согласован\p{L}*)|договорн\p{L}*|уточн\p{L}*(?: .{1,30})?|звоните|индивидуально|скоро|ожида\p{L}*|в пути|поступит|есть|в наличии|имеется|много|мало|достаточно|бесплатно|нет|нет в наличии|закончил\p{L}*|распродан\p{L}*|нет данных|нет цены|н\/?д|бар|жоқ|таусылды|тегін|келісім\p{L}*(?: бойынша)?|сұраныс\p{L}*(?: бойынша)?|(?:price )?(?:on|by) request|request|call(?: us)?(?: for price)?|ask|poa|tb[ad]|n\/?a|in stock|available|yes|no|none|free|out of stock|sold out|plenty|few|many|soon|null|nil|#n\/a|#ref!|#value!|#div\/0!|#знач!|#н\/д|#ссылка!|#дел\/0!|\?+|\*+|\.{2,}|…)$/iu

/** What a column is of, by its name. */
export function subjectOf(name: string): 'stock' | 'price' | null {
  if (PRICE.test(name)) return 'price'
  return STOCK.test(name) ? 'stock' : null
}

/** Whether a word means nought in such a column: `нет` of stock, `бесплатно` of a price. */
export function isZero(cell: string, subject: 'stock' | 'price' | null): boolean {
  const word = cell.trim()
  return subject === 'stock' ? NONE.test(word) : FREE.test(word)
}

/** Whether a cell says that there is no number, or that it is not known. */
export function isWithoutNumber(cell: string): boolean {
  return WITHOUT_NUMBER.test(cell.trim().replace(/[.!]+$/, ''))
}
