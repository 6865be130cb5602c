// How the series of a chart look: each by a pattern of its own as well as by its colour.
import { PatternCircles, PatternLines } from '@visx/pattern'

export type Fill = 'solid' | 'lines' | 'dots' | 'grey'

/** Patterns are kept in the drawing that uses them: `id` tells those of several drawings apart. */
export function SeriesPatterns({ id }: { id: string }) {
  return (
    <>
      <PatternLines
        id={`${id}-lines`}
        width={6}
        height={6}
        stroke="var(--primary)"
        strokeWidth={2}
        background="var(--primary-soft)"
        orientation={['diagonal']}
      />
      <PatternCircles
        id={`${id}-dots`}
        width={6}
        height={6}
        radius={1.75}
        fill="var(--warning-soft-foreground)"
        background="var(--warning-soft)"
        complement
      />
    </>
  )
}

/** The paint of a series in a drawing that holds its patterns. */
export function paintOf(fill: Fill, id: string): string {
  if (fill === 'solid') return 'var(--primary)'
  return fill === 'grey' ? 'var(--muted-foreground)' : `url(#${id}-${fill})`
}
