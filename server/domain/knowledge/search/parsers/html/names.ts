// What an element says that shows a picture in place of text.
import { attributeOf, classesOf, type Element, elementsIn, textIn } from './tree.ts'

/** How icons are called, by their class, their file or the sign that they use: `fa-check-circle`, `icons.svg#cross`. */
const ICON = (words: string) =>
  new RegExp(
    `^(?:[a-z]{1,5}[-_])?(?:icon[-_]?)?(?:${words})(?:[-_]?(?:mark|circle|square|lg|o|fill|alt|bold|solid|round))*$`,
    'i',
  )
const TICK = ICON('check|tick|yes')
const CROSS = ICON('times|cross|close|xmark|x|no')

/** What an element without text is called: by its label, its picture, its title. */
export function nameOf(element: Element): string {
  const own = attributeOf(element, 'aria-label') ?? attributeOf(element, 'alt') ?? ''
  if (own.trim()) return own.replace(/\s+/g, ' ').trim()
  for (const inner of elementsIn(element)) {
    const label =
      attributeOf(inner, 'aria-label') ?? attributeOf(inner, 'alt') ?? (inner.tagName === 'title' ? textIn(inner) : '')
    if (label.trim()) return label.replace(/\s+/g, ' ').trim()
  }
  return (attributeOf(element, 'title') ?? '').trim()
}

/** ✓ or ✗ for an icon of a tick or a cross, as tables have them; undefined for any other. */
export function tickOf(element: Element): '✓' | '✗' | undefined {
  const files = [element, ...elementsIn(element)].flatMap((each) =>
    ['src', 'href', 'xlink:href'].flatMap((attribute) => attributeOf(each, attribute) ?? []),
  )
  const names = [...classesOf(element), ...files.map((file) => /([^/#]*?)(?:\.\w+)?$/.exec(file)?.[1] ?? '')]
  if (names.some((name) => TICK.test(name))) return '✓'
  return names.some((name) => CROSS.test(name)) ? '✗' : undefined
}
