// Whether a reader sees an element of a page, at first or after opening it, and whether it belongs to the frame of the page rather than to
// its content: navigation, footers, side columns.
import type { Controls } from './controls.ts'
import { isUnseen, type Styles } from './css.ts'
import {
  attributeOf,
  classesOf,
  type Document,
  type Element,
  isElement,
  isText,
  NEVER_SHOWN,
  parentOf,
  textIn,
} from './tree.ts'

/** `links`: characters of the text that are in links; `hasMain`: the content of the page begins in it. */
type Extent = { text: number; links: number; hasMain: boolean }

const FRAME_TAGS = new Set(['nav', 'footer', 'aside'])
const FRAME_ROLES = new Set(['navigation', 'contentinfo', 'complementary'])
/** Characters outside of links from which a navigation holds more than ways to other pages. */
const PROSE = 200
const COOKIES =
  /(?:cookie|gdpr|consent)[-_]?(?:s|banner|bar|box|consent|notice|popup|law|alert|message|modal|warning|info|panel|block)|^(?:cookie|gdpr|consent)s?$|^t-?cookie|^cc-(?:window|banner)|onetrust|cookiebot|cookieyes/i
const COOKIE_WORDS = /cookie|кук[иа]|куки-?файл/i
/** Characters from which a text about cookies is a page of its own. */
const COOKIE_PAGE = 1_500
const ICON_FONT = /^material-(?:icons|symbols)/
/** Hiding one of them is a trick of loading: its script shows it. */
const ALWAYS_SHOWN = new Set(['html', 'body', 'main', 'head'])

/** Names by which style sheets of page builders, which lie elsewhere, hide an element on every screen. */
const HIDDEN_NAME = /^(?:w-condition-invisible|d-none)$/
/** The same on some screens only. */
const SHOWN_ON_SOME = /^d-(?:sm|md|lg|xl|xxl|print)-(?!none)/

/** What is decided once for a page. */
export class Shown {
  readonly #controls: Controls
  readonly #extents: Map<Element, Extent>

  constructor(page: Document, controls: Controls) {
    this.#controls = controls
    this.#extents = extentsOf(page)
  }

  /** Whether the author has hidden the element where no visitor can open it. */
  isHidden(element: Element, styles: ReturnType<Styles['of']>): boolean {
    if (ALWAYS_SHOWN.has(element.tagName)) return false
    const hidden = attributeOf(element, 'hidden')
    const isClosed = element.tagName === 'dialog' && attributeOf(element, 'open') === undefined
    const isMarked = (hidden !== undefined && hidden.toLowerCase() !== 'until-found') || isClosed
    const names = classesOf(element)
    const isNamed = names.some((name) => HIDDEN_NAME.test(name)) && !names.some((name) => SHOWN_ON_SOME.test(name))
    return (isMarked || isNamed || isUnseen(styles)) && !this.#controls.canOpen(element)
  }

  /** Parts that no reader takes for content, also where they are seen. */
  isNoise(element: Element): boolean {
    if (classesOf(element).some((name) => ICON_FONT.test(name))) return true
    return this.#isCookieBanner(element)
  }

  /** Whether it is part of the frame. A page whose content lies in an unclosed navigation is no frame. */
  isFrame(element: Element): boolean {
    const role = attributeOf(element, 'role') ?? ''
    if (!FRAME_TAGS.has(element.tagName) && !FRAME_ROLES.has(role)) return false
    const extent = this.#extents.get(element)
    if (!extent || extent.hasMain) return false
    if (element.tagName !== 'nav' && isInContent(element)) return false
    return element.tagName !== 'nav' || extent.text - extent.links < PROSE || extent.links > extent.text / 2
  }

  #isCookieBanner(element: Element): boolean {
    if (ALWAYS_SHOWN.has(element.tagName) || (this.#extents.get(element)?.text ?? 0) > COOKIE_PAGE) return false
    const names = [attributeOf(element, 'id') ?? '', ...classesOf(element), attributeOf(element, 'aria-label') ?? '']
    return names.some((name) => COOKIES.test(name)) && COOKIE_WORDS.test(textIn(element, COOKIE_PAGE))
  }
}

/** Side remarks and footers of an article belong to it. */
function isInContent(element: Element): boolean {
  for (let up = parentOf(element); up; up = parentOf(up)) {
    if (['main', 'article', 'blockquote', 'figure', 'dialog'].includes(up.tagName)) return true
    if (attributeOf(up, 'role') === 'main') return true
  }
  return false
}

/** From the innermost outwards, without recursion. */
function extentsOf(page: Document): Map<Element, Extent> {
  const extents = new Map<Element, Extent>()
  const open: { element: Element | null; nodes: Document['childNodes']; at: number; extent: Extent }[] = []
  const push = (element: Element | null, nodes: Document['childNodes']) =>
    open.push({ element, nodes, at: 0, extent: { text: 0, links: 0, hasMain: false } })
  push(null, page.childNodes)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const node = top.nodes[top.at++]
    if (node === undefined) {
      open.pop()
      if (top.element) join(extents, top.element, top.extent, open.at(-1)?.extent)
    } else if (isText(node)) top.extent.text += node.value.trim().length
    else if (isElement(node) && !NEVER_SHOWN.has(node.tagName)) push(node, node.childNodes)
  }
  return extents
}

function join(extents: Map<Element, Extent>, element: Element, extent: Extent, parent: Extent | undefined): void {
  extents.set(element, extent)
  if (!parent) return
  const isMain = ['main', 'article', 'h1'].includes(element.tagName) || attributeOf(element, 'role') === 'main'
  parent.text += extent.text
  parent.links += element.tagName === 'a' ? extent.text : extent.links
  parent.hasMain ||= isMain || extent.hasMain
}
