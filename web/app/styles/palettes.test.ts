// Every text of every palette and theme can be read: WCAG 2.2 AA contrast.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrastOf } from '#shared/contrast.ts'
import { accentContrast, CONTRAST_MIN, GROUNDS, type Theme } from '#shared/organizations/branding.ts'

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
  const [first, second] = [colours[one], colours[other]]
  if (!first || !second) throw new Error('Unknown colour')
  return contrastOf(first, second)
}

describe('the accent of a brand', () => {
  it.each(['light', 'dark'] as const)('is judged on every ground of the %s theme', (theme) => {
    const grounds = Object.entries(PALETTES)
      .filter(([name]) => name.endsWith(theme))
      .flatMap(([, { background, surface }]) => [background, surface])
    expect([...GROUNDS[theme]].sort()).toEqual([...new Set(grounds)].sort())
  })

  it.each(['light', 'dark'] as const)(
    'that is taken for the %s theme leaves everything mixed from it readable',
    (theme) => {
      const taken = COLOURS.filter((colour) => accentContrast(theme, colour) >= CONTRAST_MIN)
      expect(taken.length).toBeGreaterThan(500)
      const unreadable = taken.flatMap((colour) => {
        const { hover, onPrimary, soft, onSoft } = mixedFrom(theme, colour)
        const pairs = { onPrimary: [onPrimary, colour], hover: [onPrimary, hover], soft: [onSoft, soft] } as const
        return Object.entries(pairs)
          .filter(([, [text, ground]]) => contrastOf(text, ground) < CONTRAST_MIN)
          .map(([name]) => `${name} of ${colour}`)
      })
      expect(unreadable).toEqual([])
    },
  )

  it.each(['light', 'dark'] as const)('is mixed for the %s theme as this test mixes it', (theme) => {
    const rule = css.slice(
      css.indexOf(theme === 'light' ? ':root[data-brand~="light"]' : ':root.dark[data-brand~="dark"]'),
    )
    const mixes = [...rule.slice(0, rule.indexOf('}')).matchAll(/(\d+)%, (#[0-9a-f]{6})\)/g)].map(
      ([, share, other]) => [Number(share), other],
    )
    expect(mixes).toEqual(Object.values(MIXES[theme]))
  })
})

/** Every colour of a net of sixteen steps, and greys. */
const COLOURS = Array.from(
  { length: 4096 },
  (_, at) => `#${[at >> 8, (at >> 4) & 15, at & 15].map((part) => (part * 17).toString(16).padStart(2, '0')).join('')}`,
)

/** Share of the accent in percent, and what it is mixed with. */
const MIXES = {
  light: { hover: [85, '#000000'], soft: [8, '#ffffff'], onSoft: [80, '#000000'] },
  dark: { hover: [85, '#ffffff'], soft: [14, '#141412'], onSoft: [75, '#ffffff'] },
} as const satisfies Record<Theme, Record<string, readonly [number, string]>>

function mixedFrom(theme: Theme, colour: string) {
  const { hover, soft, onSoft } = MIXES[theme]
  return {
    onPrimary: theme === 'light' ? '#ffffff' : '#000000',
    hover: mixed(colour, hover),
    soft: mixed(colour, soft),
    onSoft: mixed(colour, onSoft),
  }
}

function mixed(colour: string, [share, other]: readonly [number, string]): string {
  const parts = [1, 3, 5].map((at) => {
    const [one, two] = [colour, other].map((each) => Number.parseInt(each.slice(at, at + 2), 16))
    return Math.round(((one ?? 0) * share + (two ?? 0) * (100 - share)) / 100)
  })
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
