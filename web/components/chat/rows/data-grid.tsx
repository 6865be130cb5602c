// A titled grid of texts that scrolls sideways by itself.
import type { ReactNode } from 'react'

type DataGridProps = {
  title: string
  /** Names may repeat. */
  columns: string[]
  rows: { id: string; cells: ReactNode[] }[]
  /** The first column counts rows: it stands at the end of its cells. */
  isNumbered?: boolean
}

/** The title alone where there are no rows. */
export function DataGrid({ title, columns, rows, isNumbered = false }: DataGridProps) {
  const numberClass = (at: number) => (isNumbered && at === 0 ? 'text-end tabular-nums' : 'text-start')
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{title}</p>
      {rows.length > 0 && (
        <section
          aria-label={title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
          tabIndex={0}
          className="overflow-x-auto rounded-lg border border-border"
        >
          <table className="min-w-full text-[0.8125rem]">
            <thead className="bg-muted text-muted-foreground">
              <tr>
                {columns.map((name, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never move, and names may repeat
                  <th key={at} scope="col" className={`px-3 py-2 font-medium ${numberClass(at)}`}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-border">
              {rows.map(({ id, cells: [first, ...others] }) => (
                <tr key={id}>
                  <th
                    scope="row"
                    className={`max-w-72 break-words px-3 py-2 font-normal ${numberClass(0)} ${isNumbered ? 'text-muted-foreground' : ''}`}
                  >
                    {first}
                  </th>
                  {others.map((cell, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
                    <td key={at} className="max-w-72 break-words px-3 py-2">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  )
}
