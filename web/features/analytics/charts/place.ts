// Where the words of a bar stand: over it, and within the chart.
import type { CSSProperties } from 'react'

/** @param share of the width at which the bar stands, 0 to 1 */
export function placeOver(share: number): CSSProperties {
  const percent = `${share * 100}%`
  return { left: percent, transform: `translateX(-${percent})` }
}
