// Numbers in texts that people and models write: what belongs together stays in one line where it is shown. Pure.

const NO_BREAK = '\u00a0'
/** Of thousands: `1 500`. */
const GROUP = /(?<=\d) (?=\d{3}(?!\d))/g
/** Between a number and what it counts. */
const UNIT =
  /(?<=\d) (?=[₸₽€$£%]|(?:тенге|тг|руб(?:л\p{L}*)?|коп|долл(?:ар\p{L}*)?|евро|тыс|млн|млрд|kzt|rub|usd|eur|tenge|roubles?|rubles?|dollars?|euros?|кг|г|мл|л|мм|см|м|км|шт|мин|kg|g|ml|l|mm|cm|m|km|pcs|min)(?!\p{L}))/giu

/** The text with spaces at which no line ends within numbers such as `1 500 ₸`; of the same length. */
export function keepNumbersWhole(text: string): string {
  return text.replace(GROUP, NO_BREAK).replace(UNIT, NO_BREAK)
}

/** The same for Markdown, whose code and addresses stay unchanged. */
export function keepNumbersWholeInMarkdown(text: string): string {
  return text
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`|\]\([^)\n]*\))/)
    .map((part, index) => (index % 2 === 0 ? keepNumbersWhole(part) : part))
    .join('')
}
