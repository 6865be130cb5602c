// Signs that Word keeps as places in a symbol font: ticks, crosses, the sign of multiplication.

const SYMBOL = { a3: '≤', b0: '°', b1: '±', b3: '≥', b4: '×', b7: '•', b8: '÷', b9: '≠', bb: '≈', '6d': 'μ' }
const WINGDINGS = { fc: '✓', fe: '☑', fb: '✗', fd: '☒', a8: '☐', '28': '☎', '2a': '✉', e0: '→' }
const WINGDINGS_2 = { '50': '✓', '52': '☑', '4f': '✗', '54': '☒', a3: '☐' }
const FONTS: Record<string, Record<string, string>> = {
  symbol: SYMBOL,
  wingdings: WINGDINGS,
  'wingdings 2': WINGDINGS_2,
}

/** Empty for a sign that is only an ornament. */
export function symbolOf(font = '', char = ''): string {
  return FONTS[font.toLowerCase()]?.[char.slice(-2).toLowerCase()] ?? ''
}
