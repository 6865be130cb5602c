// A few rows as they would be divided.

/** Scrolls sideways where it is wide. */
export function RowsPreview({ rows }: { rows: string[][] }) {
  return (
    <span className="mt-1 block overflow-x-auto">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a preview have no other name and never move
        <span key={at} className="flex gap-1 pb-1">
          {row.map((cell, column) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: neither have its cells
              key={column}
              className="max-w-40 truncate rounded border border-border bg-surface px-1.5 py-0.5 text-foreground text-xs"
            >
              {cell || '\u00a0'}
            </span>
          ))}
        </span>
      ))}
    </span>
  )
}
