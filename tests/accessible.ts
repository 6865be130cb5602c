// Component tests of states that no story in a browser reaches: what axe finds wrong with them.
import axe from 'axe-core'
import { expect } from 'vitest'

/** Fails with what axe finds against WCAG 2.2 AA in what is shown. Colours are judged in a browser only: jsdom computes none. */
export async function expectAccessible(shown: Element = document.body): Promise<void> {
  const { violations } = await axe.run(shown, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    iframes: false, // there axe would have to be loaded too
    rules: { 'color-contrast': { enabled: false } },
  })
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
}
