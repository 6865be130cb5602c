// One call of the table tool: the rows and figures, the arguments, and the exact output.
import type { ReactNode } from 'react'
import type { TableCall } from '#shared/knowledge/table-questions.ts'
import { UsedRowsView } from '#web/components/chat/rows/used-rows.tsx'
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** A refusal is shown in the words that the model receives. */
export function TableCallView({ call: { arguments: given, output, isRefused, tableName, rows } }: { call: TableCall }) {
  const { t } = useTranslation('rag-tester')
  return (
    <section
      aria-label={tableName ?? t(($) => $.tables.refused)}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-border p-4"
    >
      {isRefused ? (
        <Alert tone="warning" title={t(($) => $.tables.refused)}>
          <span lang="en">{output}</span>
        </Alert>
      ) : (
        <p role="status" className="font-semibold">
          {tableName}
        </p>
      )}
      {rows?.matched === 0 && <p className="text-muted-foreground">{t(($) => $.tables.nothing)}</p>}
      {rows && <UsedRowsView used={rows} />}
      <Raw title={t(($) => $.tables.arguments)}>{JSON.stringify(JSON.parse(given), null, 2)}</Raw>
      {!isRefused && <Raw title={t(($) => $.tables.told)}>{output}</Raw>}
    </section>
  )
}

function Raw({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details>
      <summary className="cursor-pointer text-[0.8125rem] text-muted-foreground">{title}</summary>
      <pre className="mt-2 whitespace-pre-wrap break-all rounded-lg bg-muted p-3 text-xs">{children}</pre>
    </details>
  )
}
