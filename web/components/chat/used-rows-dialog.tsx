// The rows of a table from which an answer was computed.
import type { MessageSource } from '#shared/conversations.ts'
import type { UsedRows } from '#shared/tables.ts'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Open as long as there is a source. One list for each question that was asked of the table. */
export function UsedRowsDialog({ source, onClose }: { source: MessageSource | null; onClose: () => void }) {
  const { t } = useTranslation('conversations')
  return (
    <Dialog open={source !== null} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {source && (
        <DialogContent
          title={t(($) => $.rows.title, { name: source.source })}
          description={t(($) => $.rows.description)}
          className="max-w-3xl"
        >
          {source.rows?.map((used) => (
            <Rows key={JSON.stringify(used)} used={used} />
          ))}
        </DialogContent>
      )}
    </Dialog>
  )
}

function Rows({ used: { columns, rows, matched } }: { used: UsedRows }) {
  const { t } = useTranslation('conversations')
  const summary =
    rows.length < matched
      ? t(($) => $.rows.shownOf, { shown: formatNumber(rows.length), count: matched })
      : t(($) => $.rows.all, { count: matched })
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{summary}</p>
      {rows.length > 0 && (
        <section
          aria-label={summary}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
          tabIndex={0}
          className="overflow-x-auto rounded-lg border border-border"
        >
          <table className="min-w-full text-[0.8125rem]">
            <thead className="bg-muted text-muted-foreground">
              <tr>
                <th className="px-3 py-2 text-end font-medium">{t(($) => $.rows.number)}</th>
                {columns.map((name) => (
                  <th key={name} className="px-3 py-2 text-start font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-border">
              {rows.map(({ number, cells }) => (
                <tr key={number}>
                  <th scope="row" className="px-3 py-2 text-end font-normal text-muted-foreground tabular-nums">
                    {formatNumber(number)}
                  </th>
                  {columns.map((name, index) => (
                    <td key={name} className="max-w-72 break-words px-3 py-2">
                      {cells[index]}
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
