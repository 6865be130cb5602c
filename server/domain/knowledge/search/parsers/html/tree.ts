// The tree of an HTML document as a browser builds it, and how it is looked through: without recursion, for it may be nested without end.
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

export type Document = DefaultTreeAdapterTypes.Document
export type Element = DefaultTreeAdapterTypes.Element
export type Node = DefaultTreeAdapterTypes.ChildNode
type Parent = DefaultTreeAdapterTypes.ParentNode

/** Elements whose text no reader ever sees. */
export const NEVER_SHOWN = new Set(
  'head script style noscript template title iframe object datalist textarea canvas video audio'.split(' '),
)

/** Where a browser would open and close elements, also of a broken page. Scripts are not run. */
export function parseTree(html: string): Document {
  return parse(html, { sourceCodeLocationInfo: false })
}

export function isElement(node: Node | Parent | null | undefined): node is Element {
  return node !== null && node !== undefined && 'tagName' in node
}

export function isText(node: Node): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text'
}

/** Undefined for an attribute that the element does not have. */
export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value
}

export function classesOf(element: Element): string[] {
  return attributeOf(element, 'class')?.split(/\s+/).filter(Boolean) ?? []
}

export function parentOf(element: Element): Element | null {
  return isElement(element.parentNode) ? element.parentNode : null
}

/** The element before (-1) or behind (1) it with the same parent. */
export function siblingOf(element: Element, step: -1 | 1): Element | null {
  const all = element.parentNode?.childNodes ?? []
  for (let at = placeOf(element, all) + step; at >= 0 && at < all.length; at += step) {
    const node = all[at]
    if (isElement(node)) return node
  }
  return null
}

const PLACES = new WeakMap<Node[], Map<Node, number>>()

/** Its place among many is not looked for from the first one each time. */
function placeOf(element: Element, all: Node[]): number {
  if (all.length < 50) return all.indexOf(element)
  const places = PLACES.get(all) ?? new Map(all.map((node, at) => [node, at]))
  PLACES.set(all, places)
  return places.get(element) ?? -1
}

/** Every element below, in the order of the page. What `isSkipped` names is left out with all that it holds. */
export function* elementsIn(root: Parent, isSkipped: (element: Element) => boolean = () => false): Generator<Element> {
  const open: { nodes: Node[]; at: number }[] = [{ nodes: root.childNodes, at: 0 }]
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const node = top.nodes[top.at++]
    if (node === undefined) open.pop()
    else if (isElement(node) && !isSkipped(node)) {
      yield node
      open.push({ nodes: node.childNodes, at: 0 })
    }
  }
}

/** The text of an element, at most `most` characters. */
export function textIn(root: Element, most = 300): string {
  let text = ''
  const open: { nodes: Node[]; at: number }[] = [{ nodes: root.childNodes, at: 0 }]
  for (let top = open.at(-1); top && text.length < most; top = open.at(-1)) {
    const node = top.nodes[top.at++]
    if (node === undefined) {
      open.pop()
      text += ' '
    } else if (isText(node)) text += node.value
    else if (isElement(node) && !NEVER_SHOWN.has(node.tagName)) open.push({ nodes: node.childNodes, at: 0 })
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, most)
}
