// The column that search covers: its choice, or what prevents the import with a button that resolves it.
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { type DataTable, importObstacle } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { ImportProgress } from './import-progress.tsx'
import { TableActions } from './table-row.tsx'
import { useFailureText } from './use-failure-text.ts'

/** The choice of a column when one can be imported, otherwise what prevents it. */
export function ImportPanel({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-prose text-muted-foreground">{t(($) => $.import.hint)}</p>
      {importObstacle(table) === null ? <ColumnChoice table={table} /> : <Obstacle table={table} />}
    </div>
  )
}

function ColumnChoice({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  const importColumn = useMutation(api.knowledge.tables.importColumn)
  const [column, setColumn] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  async function start() {
    setMissing(column === '')
    if (column === '') return
    setBusy(true)
    await importColumn({ tableId: table._id, column: Number(column) }).catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {t(($) => $.import.column)}
      </label>
      <div className="flex flex-wrap gap-2">
        <Select
          id={id}
          className="w-72 max-w-full"
          value={column}
          onValueChange={setColumn}
          placeholder={t(($) => $.import.choose)}
          aria-invalid={isMissing && column === ''}
          aria-describedby={`${id}-error`}
          options={table.columns.map(({ name, samples }, index) => ({
            value: String(index + 1),
            label: name,
            hint: samples[0],
          }))}
        />
        <Button variant="primary" isBusy={isBusy} onClick={start}>
          <Search aria-hidden="true" />
          {t(($) => $.import.start)}
        </Button>
      </div>
      <p id={`${id}-error`} role="alert" className="text-[0.8125rem] text-destructive-soft-foreground">
        {isMissing && column === '' && t(($) => $.import.columnRequired)}
      </p>
    </div>
  )
}

function Obstacle({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  const { t: tErrors } = useTranslation('errors')
  const obstacle = importObstacle(table)
  const failure = useFailureText()(table)
  const imported = table.columns[(table.importedColumn ?? 0) - 1]?.name ?? ''
  return (
    <Alert tone={failure ? 'destructive' : 'info'} title={t(($) => $.import.of, { name: imported })}>
      {failure && <p>{failure}</p>}
      {!failure && obstacle === 'table_has_chunks' && (
        <p>{t(($) => $.import.hasChunks, { count: table.chunks.ready })}</p>
      )}
      {obstacle === 'table_is_importing' && (
        <>
          <p>{tErrors(($) => $.table_is_importing)}</p>
          <ImportProgress table={table} />
        </>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <TableActions table={table} />
        {obstacle === 'table_has_chunks' && <ClearButton table={table} />}
      </div>
    </Alert>
  )
}

function ClearButton({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  const clear = useMutation(api.knowledge.tables.clearImport)
  const [isBusy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    await clear({ tableId: table._id })
      .then(() => toast.success(t(($) => $.import.cleared)))
      .catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  return (
    <Button size="sm" isBusy={isBusy} onClick={run}>
      {t(($) => $.import.clear)}
    </Button>
  )
}
