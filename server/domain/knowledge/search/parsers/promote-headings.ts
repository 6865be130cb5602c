// Finds the headings of documents that use no heading styles, as most contracts: «Статья 5», «Глава II», numbered and bold lines.
import type { Block } from '../chunking/blocks.ts'

/** A text block that may be a heading. `isBold`: all of it. */
export type Candidate = Extract<Block, { kind: 'text' }> & { isBold?: boolean }

const MAX_LENGTH = 120
const NAMED =
  /^(раздел|глава|часть|статья|приложение|section|chapter|part|article|appendix|annex)\s+(№?\s*\d+|[IVXLC]+)(?![\p{L}\p{N}])/iu
const NUMBERED = /^(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+\p{Lu}/u
const UNFINISHED = /[.;,:!?]$/
/** From this share of bold paragraphs on, bold says nothing. */
const BOLD_EVERYWHERE = 0.4

type Options = {
  /** The document marks its headings itself: only named ones are promoted. */
  hasOwnHeadings: boolean
}

/** The same blocks, some texts turned into headings. */
export function promoteHeadings(blocks: (Block | Candidate)[], { hasOwnHeadings }: Options): Block[] {
  const texts = blocks.filter((block): block is Candidate => block.kind === 'text')
  const isBoldRare = texts.filter((block) => block.isBold).length < texts.length * BOLD_EVERYWHERE
  return blocks.map((block) => {
    if (block.kind === 'item' && isCapitalHeading(block.text)) return { ...block, kind: 'heading', level: 1 }
    if (block.kind !== 'text') return block
    const { isBold = false, ...plain } = block as Candidate
    const level = headingLevel(plain.text, isBold && isBoldRare, hasOwnHeadings)
    return level === null ? plain : { ...plain, kind: 'heading', level }
  })
}

function headingLevel(text: string, isBold: boolean, hasOwnHeadings: boolean): number | null {
  if (text.length > MAX_LENGTH || text.includes('\n')) return null
  const named = NAMED.exec(text)?.[1]?.toLowerCase()
  if (named) return ['статья', 'article'].includes(named) ? 2 : 1
  if (hasOwnHeadings || UNFINISHED.test(text)) return null
  const number = NUMBERED.exec(text)?.[1]
  const depth = number?.split('.').length ?? 0
  if (number && (isBold || isUpperCase(text) || depth > 1)) return Math.min(depth, 4)
  return isBold ? 3 : null
}

/** «1. ПРЕДМЕТ ДОГОВОРА» looks like a list item, but is not. */
function isCapitalHeading(text: string): boolean {
  return text.length <= MAX_LENGTH && NUMBERED.test(text) && isUpperCase(text) && !UNFINISHED.test(text)
}

function isUpperCase(text: string): boolean {
  return text === text.toUpperCase()
}
