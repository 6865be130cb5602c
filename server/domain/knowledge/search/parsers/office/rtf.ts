// RTF → blocks: its control words one by one. Hidden text, recorded deletions and comments are counted; struck text is marked.
import type { Block, ParsedFile } from '../../chunking/blocks.ts'
import { likelyEncodings } from '../encoding/encoding-likelihood.ts'
import { behindLink, fieldTarget } from '../link-targets.ts'
import { ParseFailure } from '../parse-failure.ts'
import { promoteHeadings } from '../promote-headings.ts'
import { hiddenWarnings, type ReadOptions } from '../read-options.ts'
import { type Shift, shifted } from '../shifted-digits.ts'
import { tableBlocks } from '../table-blocks.ts'
import { withStruck, wordStruck } from '../workbooks/struck-text.ts'

/** Groups whose text is not the document's. */
const SKIPPED = new Set(
  `fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf fldinst listtable
  listoverridetable revtbl rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl pgdsctbl nonshppict
  listtext pntext bkmkstart bkmkend shprslt`.split(/\s+/),
)
const CHARSETS: Record<string, string> = {
  '0': 'windows-1252',
  '128': 'shift_jis',
  '129': 'euc-kr',
  '134': 'gb18030',
  '136': 'big5',
  '161': 'windows-1253',
  '162': 'windows-1254',
  '177': 'windows-1255',
  '178': 'windows-1256',
  '186': 'windows-1257',
  '204': 'windows-1251',
  '238': 'windows-1250',
}
const SIGNS: Record<string, string> = {
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  tab: ' ',
  '~': '\u00a0',
  _: '-',
}
const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi

type State = {
  shift: Shift | null
  isStruck: boolean
  isHidden: boolean
  isDeleted: boolean
  isSkipped: boolean
  font: string
  unicodeSkip: number
  isFontTable: boolean
  /** Of the field that is open, such as a link; `from`: where its text begins. */
  field: { instruction: string; from: number } | null
  isInstruction: boolean
}

const PLAIN = { isStruck: false, isHidden: false, isDeleted: false, shift: null }

/** As the file names it, and where it names none. Some programs name it for texts in every alphabet. */
const WESTERN = 'windows-1252'
/** Letters by which the alphabet of a file is found out. */
const SAMPLE_MAX = 20_000

/** @throws ParseFailure damaged when a group is never closed */
export function parseRtf(bytes: Uint8Array, options: ReadOptions): ParsedFile {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const reader = new RtfReader(options.includeHidden, alphabetOf(source))
  for (const token of source.matchAll(TOKEN)) reader.token(token)
  const blocks = reader.finish()
  return {
    blocks: wordStruck(promoteHeadings(blocks, { hasOwnHeadings: blocks.some(({ kind }) => kind === 'heading') })),
    pageCount: null,
    warnings: hiddenWarnings(reader.hidden, options),
  }
}

/** What the letters of a text are written in that calls itself Western, or nothing. */
function alphabetOf(source: string): string {
  const words = source.replace(TOKEN, (all, word, _parameter, hex, _sign, brace) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return word !== undefined || brace !== undefined ? ' ' : all
  })
  const letters = (words.match(/[^\s]*[\x80-\xff][^\s]*/g) ?? []).join(' ').slice(0, SAMPLE_MAX)
  const [likely] = letters ? likelyEncodings(Buffer.from(letters, 'latin1')) : []
  return likely?.isSure ? likely.encoding : WESTERN
}

class RtfReader {
  readonly hidden = { texts: 0, deletions: 0, comments: 0 }
  readonly #includeHidden: boolean
  readonly #blocks: Block[] = []
  readonly #stack: State[] = []
  readonly #fonts = new Map<string, string>()
  #state: State = {
    shift: null,
    isStruck: false,
    isHidden: false,
    isDeleted: false,
    isSkipped: false,
    font: '',
    unicodeSkip: 1,
    isFontTable: false,
    field: null,
    isInstruction: false,
  }
  #codePage: string
  /** In the place of `WESTERN`. */
  readonly #alphabet: string
  #bytes: number[] = []
  #toSkip = 0
  #isFirst = false
  #text = ''
  #level: number | null = null
  #isInTable = false
  #cells: string[] = []
  #rows: string[][] = []

  constructor(includeHidden: boolean, alphabet: string) {
    this.#includeHidden = includeHidden
    this.#alphabet = alphabet
    this.#codePage = alphabet
  }

  token([, word, parameter, hex, sign, brace, text]: RegExpMatchArray): void {
    if (hex !== undefined) {
      if (this.#toSkip > 0) this.#toSkip--
      else this.#bytes.push(Number.parseInt(hex, 16))
      return
    }
    this.#flushBytes()
    if (word !== undefined) this.#word(word, parameter)
    else if (brace === '{') this.#openGroup()
    else if (brace === '}') this.#closeGroup()
    else if (sign !== undefined) this.#sign(sign)
    else if (text !== undefined) {
      this.#isFirst = false
      const shown = text.slice(this.#toSkip)
      this.#toSkip = Math.max(0, this.#toSkip - text.length)
      if (!/[\x80-\xff]/.test(shown)) this.#add(shown)
      else {
        for (const byte of Buffer.from(shown, 'latin1')) this.#bytes.push(byte)
        this.#flushBytes()
      }
    }
  }

  finish(): Block[] {
    this.#flushBytes()
    this.#endParagraph()
    this.#endTable()
    if (this.#stack.length > 0 && this.#blocks.length === 0) throw new ParseFailure('damaged')
    return this.#blocks
  }

  #openGroup(): void {
    this.#stack.push({ ...this.#state })
    this.#isFirst = true
  }

  #closeGroup(): void {
    const { field } = this.#state
    this.#state = this.#stack.pop() ?? this.#state
    if (field && this.#state.field !== field) this.#endField(field)
    this.#isFirst = false
  }

  #sign(sign: string): void {
    if (sign === '*' && this.#isFirst) this.#state.isSkipped = true
    else if (sign === '\n' || sign === '\r') this.#endParagraph()
    else if (sign === '~' || sign === '_') this.#add(SIGNS[sign] ?? '')
    else if (/[\\{}]/.test(sign)) this.#add(sign)
  }

  #word(word: string, parameter: string | undefined): void {
    const isOn = parameter !== '0'
    if (this.#isFirst && word === 'annotation') this.#openComment()
    if (this.#isFirst && SKIPPED.has(word))
      this.#state = { ...this.#state, isSkipped: true, isFontTable: word === 'fonttbl' }
    if (this.#isFirst && word === 'shptxt') this.#openBox()
    if (this.#isFirst && word === 'field') this.#state.field = { instruction: '', from: this.#text.length }
    if (this.#isFirst && word === 'fldinst') this.#state.isInstruction = true
    this.#isFirst = false
    if (word === 'u') this.#unicode(Number(parameter))
    else if (word === 'uc') this.#state.unicodeSkip = Number(parameter ?? 1)
    else if (word === 'ansicpg') this.#codePage = this.#orAlphabet(encodingOf(`windows-${parameter}`))
    else if (word === 'f') this.#state.font = parameter ?? ''
    else if (word === 'fcharset' && this.#state.isFontTable)
      this.#fonts.set(this.#state.font, CHARSETS[parameter ?? ''] ?? '')
    else if (word === 'strike' || word === 'striked') this.#state.isStruck = isOn
    else if (word === 'super' || word === 'sub') this.#state.shift = isOn ? (word === 'sub' ? 'sub' : 'sup') : null
    else if (word === 'nosupersub') this.#state.shift = null
    else if (word === 'v') this.#hide(isOn)
    else if (word === 'deleted') this.#delete(isOn)
    else if (word === 'plain') this.#state = { ...this.#state, ...PLAIN }
    else if (word === 'par' || word === 'sect' || word === 'page') this.#endParagraph()
    else if (word === 'line') this.#add('\n')
    else if (word === 'outlinelevel') this.#level = Number(parameter) + 1
    else if (word === 'intbl') this.#isInTable = true
    else if (word === 'pard') [this.#level, this.#isInTable] = [null, false]
    else if (word === 'cell') this.#endCell()
    else if (word === 'row') this.#endRow()
    else this.#add(SIGNS[word] ?? '')
  }

  /** The target of a link follows its text. */
  #endField({ instruction, from }: { instruction: string; from: number }): void {
    const shown = this.#text.slice(from <= this.#text.length ? from : 0)
    this.#add(behindLink(shown, fieldTarget(instruction)))
  }

  #openComment(): void {
    this.hidden.comments++
    this.#state.isSkipped = !this.#includeHidden
  }

  /** The text of a box, amid what only draws it, is a paragraph of its own. */
  #openBox(): void {
    this.#endParagraph()
    this.#state.isSkipped = false
  }

  #hide(isOn: boolean): void {
    if (isOn && !this.#state.isHidden) this.hidden.texts++
    this.#state.isHidden = isOn
  }

  #delete(isOn: boolean): void {
    if (isOn && !this.#state.isDeleted) this.hidden.deletions++
    this.#state.isDeleted = isOn
  }

  #unicode(code: number): void {
    this.#add(String.fromCharCode(code < 0 ? code + 65_536 : code))
    this.#toSkip = this.#state.unicodeSkip
  }

  #flushBytes(): void {
    if (this.#bytes.length === 0) return
    const ofFont = this.#fonts.get(this.#state.font)
    const encoding = ofFont && ofFont !== WESTERN ? ofFont : this.#codePage
    this.#add(new TextDecoder(encoding).decode(Uint8Array.from(this.#bytes)))
    this.#bytes = []
  }

  #orAlphabet(encoding: string): string {
    return encoding === WESTERN ? this.#alphabet : encoding
  }

  #add(text: string): void {
    const { isSkipped, isHidden, isDeleted, isStruck, isInstruction, field, shift } = this.#state
    if (isInstruction && field) field.instruction += text
    if (text === '' || isSkipped || ((isHidden || isDeleted) && !this.#includeHidden)) return
    const shown = shift ? shifted(text, shift) : text
    this.#text = isStruck || isDeleted ? withStruck(this.#text, shown) : this.#text + shown
  }

  #endCell(): void {
    this.#cells.push(this.#taken())
  }

  #endRow(): void {
    if (this.#cells.length > 0) this.#rows.push(this.#cells)
    this.#cells = []
  }

  #endTable(): void {
    this.#blocks.push(...tableBlocks(this.#rows, null))
    this.#rows = []
  }

  /** Within a row, paragraphs belong to its cells. */
  #endParagraph(): void {
    if (this.#isInTable || this.#cells.length > 0) {
      this.#text += ' '
      return
    }
    const text = this.#taken()
    if (!text) return
    this.#endTable()
    if (this.#level !== null && this.#level <= 6)
      this.#blocks.push({ kind: 'heading', level: this.#level, text, page: null })
    else this.#blocks.push({ kind: 'text', text, page: null })
  }

  #taken(): string {
    const text = this.#text
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join('\n')
    this.#text = ''
    return text
  }
}

function encodingOf(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return WESTERN
  }
}
