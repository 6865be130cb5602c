// The little of CSS that decides whether a text is shown, and whether it is struck through: of style attributes and of the page's own
// style sheets. Rules for some widths of the screen only, and selectors that depend on what a visitor does, are left aside.
import { attributeOf, classesOf, type Element, parentOf } from './tree.ts'

/** Property → value, of those in `PROPERTIES`. */
type Declarations = Map<string, string>
type Compound = { tag: string; id: string; classes: string[]; isChild: boolean }
type Rule = { compounds: Compound[]; weight: number; order: number; declarations: Declarations }

const PROPERTIES = new Set(
  `display visibility text-decoration text-decoration-line text-indent position left top font-size height max-height overflow
  overflow-y clip clip-path`.split(/\s+/),
)
const CSS_MAX = 2_000_000
const RULES_MAX = 20_000
/** Ancestors looked at for a rule of several parts. */
const DEPTH_MAX = 60
const SIMPLE = /^(\*|[a-z][a-z0-9-]*)?((?:[.#][\w\u0080-\uffff-]+)*)$/i
const FAR_OUT = /^-\s*(?:\d{4,}|[5-9]\d{2})(?:\.\d+)?px$/

/** The styles of one page. */
export class Styles {
  readonly #rules = new Map<string, Rule[]>()
  #count = 0

  /** @param css contents of the page's style elements */
  constructor(css: string) {
    this.#read(css.slice(0, CSS_MAX).replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, ' '), 0)
  }

  /** The declarations of an element, without inherited ones. */
  of(element: Element): Declarations {
    const matching = [
      element.tagName,
      `#${attributeOf(element, 'id')}`,
      ...classesOf(element).map((name) => `.${name}`),
    ]
      .flatMap((key) => this.#rules.get(key) ?? [])
      .filter((rule) => matches(element, rule.compounds))
      .sort((a, b) => a.weight - b.weight || a.order - b.order)
    const all: Declarations = new Map(matching.flatMap(({ declarations }) => [...declarations]))
    for (const [property, value] of declarationsOf(attributeOf(element, 'style') ?? '')) all.set(property, value)
    return all
  }

  #read(css: string, depth: number): void {
    let at = 0
    while (at < css.length && this.#count < RULES_MAX) {
      const brace = css.indexOf('{', at)
      if (brace < 0) return
      const end = closingOf(css, brace)
      const prelude = css.slice(at, brace).split(';').at(-1)?.trim().toLowerCase() ?? ''
      const body = css.slice(brace + 1, end)
      if (!prelude.startsWith('@')) this.#add(css.slice(at, brace).split(';').at(-1) ?? '', declarationsOf(body))
      else if (depth < 3 && /^@(?:layer|supports|media\s+(?:screen|all)$)/.test(prelude)) this.#read(body, depth + 1)
      at = end + 1
    }
  }

  #add(selectors: string, declarations: Declarations): void {
    if (declarations.size === 0) return
    for (const selector of selectors.split(',')) {
      const compounds = compoundsOf(selector)
      const last = compounds?.at(-1)
      if (!compounds || !last) continue
      const key = last.id ? `#${last.id}` : last.classes[0] ? `.${last.classes[0]}` : last.tag
      if (!key) continue
      const weight = compounds.reduce((sum, { id, classes, tag }) => {
        return sum + (id ? 10_000 : 0) + classes.length * 100 + (tag ? 1 : 0)
      }, 0)
      const rules = this.#rules.get(key) ?? []
      rules.push({ compounds, weight, order: this.#count++, declarations })
      this.#rules.set(key, rules)
    }
  }
}

/** Whether a browser shows nothing of it: not drawn, outside of the page, or without any size. */
export function isUnseen(styles: Declarations): boolean {
  const is = (property: string, value: RegExp) => value.test(styles.get(property) ?? '')
  if (is('display', /^none$/) || is('visibility', /^(?:hidden|collapse)$/)) return true
  if (is('text-indent', FAR_OUT) || is('font-size', /^0(?:px|em|rem|pt|%)?$/)) return true
  if (is('position', /^(?:absolute|fixed)$/)) {
    if (is('left', FAR_OUT) || is('top', FAR_OUT)) return true
    if (is('clip', /^rect\((?:[01](?:px)?[\s,]*){4}\)$/) || is('clip-path', /^inset\((?:50|100)%\)$/)) return true
  }
  const isCut = is('overflow', /^hidden/) || is('overflow-y', /^hidden/)
  return isCut && (is('height', /^0(?:px)?$/) || is('max-height', /^0(?:px)?$/))
}

/** Whether the text is struck through. */
export function isStruckThrough(styles: Declarations): boolean {
  return /line-through/.test(`${styles.get('text-decoration') ?? ''} ${styles.get('text-decoration-line') ?? ''}`)
}

/** Whether it begins a line of its own. */
export function isBlockLike(styles: Declarations): boolean {
  return /^(?:block|flex|grid|list-item|flow-root|table)$/.test(styles.get('display') ?? '')
}

function closingOf(css: string, brace: number): number {
  let depth = 0
  for (let at = brace; at < css.length; at++) {
    if (css[at] === '{') depth++
    else if (css[at] === '}' && --depth === 0) return at
  }
  return css.length
}

function declarationsOf(body: string): Declarations {
  const found: Declarations = new Map()
  for (const declaration of body.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (!PROPERTIES.has(property)) continue
    const value = declaration
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    found.set(property, value.replace(/\s*!important$/, ''))
  }
  return found
}

/** From the outermost to the element itself; null for a selector that asks for more than names. */
function compoundsOf(selector: string): Compound[] | null {
  const parts = selector
    .replace(/\s*>\s*/g, ' >')
    .trim()
    .split(/\s+/)
  const compounds: Compound[] = []
  for (const part of parts) {
    const isChild = part.startsWith('>')
    const simple = SIMPLE.exec(isChild ? part.slice(1) : part)
    if (!simple || part === '') return null
    const names = simple[2]?.match(/[.#][^.#]+/g) ?? []
    compounds.push({
      tag: simple[1] === '*' ? '' : (simple[1]?.toLowerCase() ?? ''),
      id: names.find((name) => name.startsWith('#'))?.slice(1) ?? '',
      classes: names.filter((name) => name.startsWith('.')).map((name) => name.slice(1)),
      isChild,
    })
  }
  return compounds
}

function matches(element: Element, compounds: Compound[]): boolean {
  let at = compounds.length - 1
  let current: Element | null = element
  let must = true
  for (let depth = 0; current && at >= 0 && depth < DEPTH_MAX; depth++) {
    const compound = compounds[at]
    if (compound && fits(current, compound)) {
      must = compound.isChild
      at--
    } else if (must) return false
    current = parentOf(current)
  }
  return at < 0
}

function fits(element: Element, { tag, id, classes }: Compound): boolean {
  if (tag && element.tagName !== tag) return false
  if (id && attributeOf(element, 'id') !== id) return false
  const own = classes.length > 0 ? classesOf(element) : []
  return classes.every((name) => own.includes(name))
}
