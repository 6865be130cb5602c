// Headers, footers and page numbers of a PDF: lines at the edge of its pages that are the same on most of them, set apart from the text.
import type { Line, Page } from './pdf-layout.ts'

/** `lines`: how many at either edge may be running ones; they occur on this share of the pages, of at least `pages`. */
const RUNNING = { share: 0.6, pages: 4, lines: 2 }
/** Between a header and the text, in units of the type size and of the page's narrowest gap. Lines that are nearer belong to the text. */
const APART = { ofSize: 1.8, ofNarrowest: 1.3 }
/** In points: a running line is drawn at one height on every page. */
const SAME_HEIGHT = 4
/** The number of a page with its label and nothing else: `3`, `- 3 -`, `стр. 3 из 10`, `Page 3/10`. */
const PAGE_LABEL =
  /^[\s\-–—.·]*(?:(?:page|pg|p|страница|стр|с|лист|слайд|slide|sheet|бет)\.?\s*)?(\d{1,4})(?:\s*(?:of|из|\/)\s*\d{1,4})?(?:[\s-]*(?:бет|стр\.?))?[\s\-–—.·]*$/iu
/** What a running line may say that a reader asks for: a number, a telephone, an address. */
const FACT = /\d|@|www\.|https?:/iu
const SEPARATOR = /\s+[|•·—–]\s+/u

/** `count`: lines that were left out, page numbers alone not counted; `sample`: the first of them. */
export type WithoutRunning<P extends Page> = { pages: P[]; count: number; sample: string }

/**
 * Pages without their running lines; what one says besides the page's number is kept once, where it comes first. Only the page's own number may differ in them: lines that differ in other digits are content, such
 * as prices. No page loses all of its lines.
 */
export function withoutRunningLines<P extends Page>(pages: P[]): WithoutRunning<P> {
  const running = runningKeys(pages)
  const left: Line[] = []
  const known = new Set<string>()
  const kept = pages.map((page) => {
    const isRunning = page.lines.map((line, at) => running.has(keyAt(line, at, page) ?? ''))
    const top = isRunning.findIndex((each) => !each)
    const bottom = isRunning.findLastIndex((each) => !each) + 1
    if (bottom === 0) return page
    const lines = page.lines.filter((line, at) => {
      if (at >= top && at < bottom) return true
      if (isPageNumber(line)) return false
      const key = factsOf(line)
      const isFirst = key !== '' && !known.has(key)
      known.add(key)
      if (!isFirst) left.push(line)
      return isFirst
    })
    return { ...page, lines }
  })
  return { pages: kept, count: left.length, sample: left[0]?.text ?? '' }
}

function runningKeys(pages: Page[]): Set<string> {
  const counts = new Map<string, number>()
  for (const page of pages) {
    const keys = new Set(page.lines.map((line, at) => keyAt(line, at, page)))
    for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const least = Math.max(RUNNING.pages, pages.length * RUNNING.share)
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key))
}

/** Equal for the same running line of two pages; null for a line that can be none. */
function keyAt(line: Line, at: number, page: Page): string | null {
  if (!isAtEdge(at, page.lines)) return null
  if (!isPageNumber(line) && !isSetApart(at, page.lines)) return null
  const parts = partsOf(line).map((part) => {
    const number = PAGE_LABEL.exec(part)?.[1]
    return number === undefined ? part : `#${Number(number) - page.number}`
  })
  return [Math.round(line.y / SAME_HEIGHT), ...parts].join('\n')
}

function isAtEdge(at: number, lines: Line[]): boolean {
  return at < RUNNING.lines || at >= lines.length - RUNNING.lines
}

/** Whether a wide gap lies between the text and this line, or its neighbour at the edge. */
function isSetApart(at: number, lines: Line[]): boolean {
  const isTop = at < RUNNING.lines && hasGap(lines, at, RUNNING.lines)
  return isTop || (at >= lines.length - RUNNING.lines && hasGap(lines, lines.length - 1 - RUNNING.lines, at))
}

/** Whether any two neighbours from one line to another, both included, stand apart. */
function hasGap(lines: Line[], from: number, to: number): boolean {
  const gaps = lines.slice(1).map((line, at) => Math.abs((lines[at]?.y ?? line.y) - line.y))
  const narrowest = Math.min(...gaps.filter((gap) => gap > 0))
  return gaps.some((gap, at) => {
    const size = Math.max(lines[at]?.size ?? 0, lines[at + 1]?.size ?? 0)
    return at >= from && at < to && gap > size * APART.ofSize && gap > narrowest * APART.ofNarrowest
  })
}

/** What a line says besides the number of its page, if that is worth asking for; else empty. */
function factsOf(line: Line): string {
  const parts = partsOf(line).filter((part) => !PAGE_LABEL.test(part))
  return parts.some((part) => FACT.test(part)) ? parts.join('\n') : ''
}

function isPageNumber(line: Line): boolean {
  return partsOf(line).every((part) => PAGE_LABEL.test(part))
}

function partsOf(line: Line): string[] {
  return line.cells.flatMap((cell) => cell.split(SEPARATOR)).map((part) => part.trim())
}
