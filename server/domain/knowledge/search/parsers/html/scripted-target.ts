// The target of an element that is not a link, from its script or its data attributes.
import { targetOf } from '../link-targets.ts'
import { attributeOf, type Element } from './tree.ts'

/** Whom a script calls or writes to, or which file or site it opens, when the element is pressed; undefined where it does something else. */
export function scriptedTarget(element: Element): string | undefined {
  const opened =
    /(?:location(?:\.href)?\s*=|(?:location\.(?:assign|replace)|window\.open|open)\()\s*['"`]([^'"`]+)['"`]/
  const target =
    opened.exec(attributeOf(element, 'onclick') ?? '')?.[1] ??
    ['data-href', 'data-url', 'data-link'].map((name) => attributeOf(element, name)).find(Boolean)
  return target !== undefined && targetOf(target, null) !== null ? target : undefined
}
