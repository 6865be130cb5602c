// What an element of a page is to a visitor, by itself and by what stands around it.
import { attributeOf, type Element, elementsIn, isElement, parentOf, siblingOf } from './tree.ts'

export function isButton(element: Element): boolean {
  if (element.tagName === 'input') return attributeOf(element, 'type')?.toLowerCase() === 'button'
  const role = attributeOf(element, 'role')
  return element.tagName === 'button' || role === 'tab' || (role === 'button' && element.tagName !== 'a')
}

/** What holds a button and what it opens: the nearest element around it in which something follows it. */
export function holderOf(button: Element): Element | null {
  let current: Element | null = button
  for (let up = 0; current && up < 3; up++) {
    if (siblingOf(current, 1)) return parentOf(current)
    current = parentOf(current)
  }
  return null
}

export function hasAncestor(element: Element, tag: string): boolean {
  let up = element.parentNode
  for (let depth = 0; up && depth < 6; depth++) {
    if (isElement(up as Element) && (up as Element).tagName === tag) return true
    up = (up as Element).parentNode
  }
  return false
}

/** A table that arranges the page instead of holding data: it has headings in it. */
export function isLayout(table: Element): boolean {
  if (/^(?:presentation|none)$/.test(attributeOf(table, 'role') ?? '')) return true
  let left = 5_000
  for (const element of elementsIn(table)) {
    if (/^h[1-6]$/.test(element.tagName)) return true
    if (--left <= 0) return false
  }
  return false
}
