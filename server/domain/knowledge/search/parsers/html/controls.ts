// What of a page a visitor can press, and what that opens: the questions of an accordion, tabs, "read more", pop-ups, slides.
import {
  attributeOf,
  classesOf,
  type Document,
  type Element,
  elementsIn,
  NEVER_SHOWN,
  parentOf,
  siblingOf,
  textIn,
} from './tree.ts'

const CONTROL_TAGS = new Set(['button', 'summary', 'label'])
const CONTROL_ROLES = new Set(['button', 'tab', 'switch'])
const CONTROL_ATTRIBUTES = [
  'aria-expanded',
  'aria-controls',
  'onclick',
  'popovertarget',
  'commandfor',
  'data-toggle',
].concat(['data-bs-toggle', 'data-target', 'data-bs-target'])
/** Parts of the names that page builders and their scripts give to what can be opened. */
const OPENABLE =
  /(?:^|[-_\s\d])(?:accordions?|faq|tabs?|tabpanel|pane|panels?|collaps\w*|spoiler|toggle\w*|answers?|slides?|slider|carousel|swiper|slick|expand\w*|more|readmore|dropdown|popup|popover|modal|drawer|t\d{3}\w*__content)(?:$|[-_\s\d])/i
const MADE_FOR_ROBOTS = /(?:^|[-_\s])(?:seo|keywords?|honeypot|cloak\w*|spam)(?:$|[-_\s])/i
/** Buttons that do something with the page or the order instead of opening a text. */
const ACTION =
  /^(?:buy|order|add to|add|send|submit|close|cancel|search|sign|log|subscribe|accept|agree|decline|ok|menu|share|print|next|prev\w*|back|apply|reset|play|pause|купить|заказать|в корзину|добавить|отправить|закрыть|отмена|найти|поиск|искать|войти|вход|регистрация|записаться|подписаться|принять|принимаю|согласен|согласиться|отклонить|хорошо|меню|поделиться|печать|далее|вперёд|вперед|назад|применить|сбросить|оформить|оставить заявку|получить|сатып алу|тапсырыс|жіберу|жабу|іздеу|мәзір)(?![\p{L}])/iu
const MORE = /(?:more|all|expand|open|unfold|ещё|еще|подробн|разверн|показать|читать|полностью|толығырақ|көбірек)/iu
/** Ancestors whose names count, and elements of a neighbour that may be its control. */
const NEAR = { ancestors: 4, elements: 60 }

/** The controls of one page and what they open. */
export class Controls {
  /** What each name that a control mentions belongs to: the first control with it. */
  readonly #named = new Map<string, Element>()
  readonly #labels = new Map<Element, Element>()
  readonly #labelled = new Set<Element>()
  readonly #triggers = new Set<Element>()
  /** Controls that open an element which they name. */
  readonly #busy = new Set<Element>()

  constructor(page: Document) {
    const elements = [...elementsIn(page, ({ tagName }) => NEVER_SHOWN.has(tagName))]
    const ids = new Map<string, Element>()
    const controls: Element[] = []
    const marked = new Map<string, Element>()
    for (const element of elements) {
      const id = attributeOf(element, 'id')
      if (id) ids.set(id, element)
      if (isControl(element)) controls.push(element)
      else for (const mark of marksOf(element)) if (!marked.has(mark)) marked.set(mark, element)
    }
    for (const control of controls) {
      this.#take(control, ids)
      const panel = isTabLike(control)
        ? marksOf(control)
            .map((mark) => marked.get(mark))
            .find(Boolean)
        : undefined
      if (panel) this.#label(panel, control)
    }
    for (const panel of elements) this.#takeLabelled(panel, ids)
  }

  /** Whether a text that is not shown at first is shown when a control of the page is used. */
  canOpen(element: Element): boolean {
    if (namesOf(element).some((name) => this.#named.has(name))) return true
    const name = `${attributeOf(element, 'id') ?? ''} ${attributeOf(element, 'class') ?? ''}`
    if (MADE_FOR_ROBOTS.test(name)) return false
    if (['tabpanel', 'dialog', 'region'].includes(attributeOf(element, 'role') ?? '')) return true
    return isNamedOpenable(element) || this.#isNextToControl(element)
  }

  /** Whether a button is the title of what it opens, such as the question of an accordion. */
  isTitle(control: Element): boolean {
    const text = textIn(control) || (attributeOf(control, 'value') ?? '')
    if (/\?\s*$/.test(text)) return true
    if (ACTION.test(text) || !/\p{L}/u.test(text)) return false
    return this.#triggers.has(control) || isInHeading(control) || isNamedOpenable(control)
  }

  /** The control that gives a panel its title where the panel does not follow it: a tab. */
  labelOf(panel: Element): Element | undefined {
    return this.#labels.get(panel)
  }

  /** Whether the text of a control stands before its panel instead, see `labelOf`. */
  isLabel(control: Element): boolean {
    return this.#labelled.has(control)
  }

  #take(control: Element, ids: Map<string, Element>): void {
    const following = siblingOf(control, 1)
    if (attributeOf(control, 'aria-expanded') !== undefined || (following && !isControl(following))) {
      this.#triggers.add(control)
    }
    for (const name of referencesOf(control)) {
      if (!this.#named.has(name)) this.#named.set(name, control)
      const panel = ids.get(name)
      if (!panel || panel === control || control.tagName === 'label') continue
      this.#triggers.add(control)
      this.#busy.add(control)
      if (isTabLike(control)) this.#label(panel, control)
    }
  }

  #takeLabelled(panel: Element, ids: Map<string, Element>): void {
    if (attributeOf(panel, 'role') !== 'tabpanel' || this.#labels.has(panel)) return
    const tab = ids.get(attributeOf(panel, 'aria-labelledby') ?? '')
    if (tab && isTabLike(tab)) this.#label(panel, tab)
  }

  #label(panel: Element, control: Element): void {
    if (this.#labels.has(panel)) return
    this.#labels.set(panel, control)
    this.#labelled.add(control)
    this.#triggers.add(control)
  }

  /** Nothing follows it in what stands before the panel, it opens nothing else, and it is not there to buy or to send. */
  #opensNext(control: Element, before: Element): boolean {
    const text = textIn(control)
    return (
      !ACTION.test(text) && !this.#busy.has(control) && (control === before || textIn(before, 2_000).endsWith(text))
    )
  }

  #isNextToControl(element: Element): boolean {
    const before = siblingOf(element, -1)
    if (before && /\?\s*$/.test(textIn(before))) return true // a question, whose answer a script opens
    if (before && hasControl(before, (control) => this.#opensNext(control, before))) return true
    const behind = siblingOf(element, 1)
    return behind !== null && hasControl(behind, (control) => MORE.test(textIn(control, 60)))
  }
}

function isControl(element: Element): boolean {
  if (CONTROL_TAGS.has(element.tagName) || CONTROL_ROLES.has(attributeOf(element, 'role') ?? '')) return true
  if (element.tagName === 'a') return /^(?:#|javascript:|$)/i.test(attributeOf(element, 'href') ?? '')
  return CONTROL_ATTRIBUTES.some((name) => attributeOf(element, name) !== undefined)
}

function hasControl(root: Element, isWanted: (control: Element) => boolean): boolean {
  if (isControl(root) && isWanted(root)) return true
  if (root.tagName === 'input' && /^(?:checkbox|radio)$/.test(attributeOf(root, 'type') ?? '')) return true
  let left = NEAR.elements
  for (const element of elementsIn(root)) {
    if (isControl(element) && isWanted(element)) return true
    if (--left <= 0) return false
  }
  return false
}

/** Names of other elements that a control mentions. */
function referencesOf(control: Element): string[] {
  return control.attrs
    .flatMap(({ name, value }) => {
      if (name === 'onclick')
        return Array.from(value.matchAll(/['"`]([^'"`]+)['"`]/g), ([, quoted = '']) => bare(quoted))
      const isReference = /^(?:aria-controls|popovertarget|commandfor|for|data-.*)$/.test(name)
      if (isReference) return value.split(/\s+/).map(bare)
      return name === 'href' && value.startsWith('#') && value.length > 1 ? [bare(value)] : []
    })
    .filter((name) => name.length > 0)
}

/** `data-value=delivery`: a tab and what it opens often have the same. */
function marksOf(element: Element): string[] {
  return element.attrs
    .filter(({ name, value }) => name.startsWith('data-') && value)
    .map(({ name, value }) => `${name}=${value}`)
}

/** Names by which a control may mention an element. */
function namesOf(element: Element): string[] {
  return element.attrs
    .filter(({ name }) => name === 'id' || name.startsWith('data-'))
    .map(({ value }) => bare(value))
    .filter((name) => name.length > 0)
}

function bare(name: string): string {
  return name.trim().replace(/^[#.]/, '')
}

function isNamedOpenable(element: Element): boolean {
  let current: Element | null = element
  for (let up = 0; current && up <= NEAR.ancestors; up++) {
    if (current.tagName === 'body') return false
    if (classesOf(current).some((name) => OPENABLE.test(name)) || OPENABLE.test(attributeOf(current, 'id') ?? ''))
      return true
    current = parentOf(current)
  }
  return false
}

function isTabLike(control: Element): boolean {
  if (attributeOf(control, 'role') === 'tab') return true
  let current: Element | null = control
  for (let up = 0; current && up < NEAR.ancestors; up++) {
    const name = `${attributeOf(current, 'class') ?? ''} ${attributeOf(current, 'data-toggle') ?? ''} ${attributeOf(current, 'data-bs-toggle') ?? ''}`
    if (/(?:^|[-_\s])tabs?(?:$|[-_\s])/i.test(name)) return true
    current = parentOf(current)
  }
  return false
}

function isInHeading(element: Element): boolean {
  let current: Element | null = element
  for (let up = 0; current && up < NEAR.ancestors; up++) {
    if (/^(?:h[1-6]|summary|dt)$/.test(current.tagName)) return true
    current = parentOf(current)
  }
  return false
}
