// How dark an hour is painted.

/** 0 for nothing, then three levels up to the most. */
export function heatLevel(value: number, most: number): 0 | 1 | 2 | 3 {
  if (value <= 0) return 0
  const share = value / most
  if (share > 2 / 3) return 3
  return share > 1 / 3 ? 2 : 1
}
