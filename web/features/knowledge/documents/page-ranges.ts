// Page numbers as people write them.

/** Neighbours joined: `[1, 2, 3, 7]` is "1–3, 7". Any order, duplicates ignored. */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const page of [...new Set(pages)].sort((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range && page === range[1] + 1) range[1] = page
    else ranges.push([page, page])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')
}
