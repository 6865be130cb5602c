// Every text of every palette and theme can be read: WCAG 2.2 AA contrast.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./palettes.css', import.meta.url), 'utf8')

/** [text, background]; 4.5:1. */
const TEXT_PAIRS: [string, string][] = [
  ...['background', 'surface', 'muted', 'accent'].flatMap((surface): [string, string][] => [
    ['foreground', surface],
    ['muted-foreground', surface],
  ]),
  ['hero-foreground', 'hero'],
  ['muted-foreground', 'hero'],
  ['primary', 'background'],
  ['primary', 'surface'],
  ['primary-foreground', 'primary'],
  ['primary-foreground', 'primary-hover'],
  ['primary-soft-foreground', 'primary-soft'],
  ['destructive-foreground', 'destructive'],
  ['destructive-foreground', 'destructive-hover'],
  ['destructive-soft-foreground', 'destructive-soft'],
  ['destructive-soft-foreground', 'surface'],
  ['destructive-soft-foreground', 'background'],
  ['success-soft-foreground', 'success-soft'],
  ['warning-soft-foreground', 'warning-soft'],
]
/** What must be seen but not read; 3:1. */
const SHAPE_PAIRS: [string, string][] = [
  ['ring', 'background'],
  ['ring', 'surface'],
  ['primary', 'accent'],
]

const PALETTES = {
  'doc-basic light': block(/\[data-palette="doc-basic"\] \{/),
  'default light': block(/^\[data-palette="default"\] \{/m),
  'doc-basic dark': block(/\.dark\[data-palette="doc-basic"\] \{/),
  'default dark': block(/\.dark\[data-palette="default"\] \{/),
}

describe.each(Object.entries(PALETTES))('palette %s', (_name, colours) => {
  it.each(TEXT_PAIRS)('shows %s readably on %s', (text, background) => {
    expect(contrast(colours, text, background)).toBeGreaterThanOrEqual(4.5)
  })
  it.each(SHAPE_PAIRS)('shows %s distinctly on %s', (shape, background) => {
    expect(contrast(colours, shape, background)).toBeGreaterThanOrEqual(3)
  })
  it('sets the same variables as the others', () => {
    expect(Object.keys(colours)).toEqual(Object.keys(PALETTES['doc-basic light']))
  })
})

function block(selector: RegExp): Record<string, string> {
  const start = css.search(selector)
  if (start < 0) throw new Error(`No block ${selector}`)
  const body = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start))
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]),
  )
}

function contrast(colours: Record<string, string>, one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(colours[one]), luminance(colours[other])].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string | undefined): number {
  if (!colour) throw new Error('Unknown colour')
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
