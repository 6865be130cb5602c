// One table: its state, live, and what can be done in that state.

import { RotateCw, Table2, Trash2, X } from 'lucide-react'
import { type DataTable, hasDoubt } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatBytes, unbroken } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { RowMenu } from '../lists/row-menu.tsx'
import { MarkBadges, MarksButton } from '../marks/source-marks.tsx'
import { ImportProgress } from './import-progress.tsx'
import { TableWarnings } from './table-warnings.tsx'
import { useFailureText } from './use-failure-text.ts'

type TableRowProps = { table: DataTable; onOpen: () => void; onRemove: () => void; onChooseSheets: () => void }

const TONES = {
  uploaded: 'neutral',
  analyzing: 'primary',
  importing: 'primary',
  ready: 'success',
  error: 'destructive',
} as const

/** The content of an item of a list. A table that was analyzed opens. */
export function TableRow({ table, onOpen, onRemove, onChooseSheets }: TableRowProps) {
  const { t } = useTranslation('tables')
  const failure = useFailureText()(table)
  const mayWrite = useMay('knowledge.write')
  return (
    <div className="relative flex items-start gap-3 px-4 py-3 hover:bg-muted/60">
      <Table2 aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {table.isAnalyzed ? (
            <button
              type="button"
              onClick={onOpen}
              aria-label={t(($) => $.list.open, { name: table.name })}
              className="link-cover max-w-full truncate text-start font-medium"
            >
              {table.name}
            </button>
          ) : (
            <span className="max-w-full truncate font-medium">{table.name}</span>
          )}
          <Badge tone={TONES[table.status]} hasDot>
            {t(($) => $.status[table.status])}
          </Badge>
          {table.isAnalyzed && hasDoubt(table) && <Badge tone="warning">{t(($) => $.list.question)}</Badge>}
          <MarkBadges marks={table} />
        </div>
        <TableFacts table={table} />
        {table.status === 'importing' && <ImportProgress table={table} />}
        {failure && <p className="mt-1 max-w-prose text-[0.8125rem] text-destructive-soft-foreground">{failure}</p>}
        <div className="relative z-10 mt-2 w-fit empty:hidden">{mayWrite && <TableActions table={table} />}</div>
        <TableWarnings
          warnings={table.warnings}
          onChooseSheets={table.sheet === null || !mayWrite ? undefined : onChooseSheets}
        />
      </div>
      {mayWrite && <MarksButton source={table} />}
      <TableMenu table={table} onOpen={onOpen} onRemove={onRemove} />
    </div>
  )
}

function TableFacts({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  const imported = table.importedColumn === null ? undefined : table.columns[table.importedColumn - 1]
  const facts = [
    formatBytes(table.sizeBytes),
    table.sheet !== null && t(($) => $.list.sheet, { name: table.sheet ?? '' }),
    table.isAnalyzed && t(($) => $.list.rows, { count: table.rows }),
    table.isAnalyzed && t(($) => $.list.columns, { count: table.columns.length }),
    table.status === 'ready' && imported && t(($) => $.list.imported, { name: imported.name }),
  ].filter((fact) => typeof fact === 'string')
  return (
    <p className="text-[0.8125rem] text-muted-foreground">
      {facts.map(unbroken).join(' · ')} · <RelativeTime at={table.uploadedAt} />
    </p>
  )
}

/** What goes on can be cancelled, what has failed can be tried again. */
export function TableActions({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  const cancel = useMutation(api.knowledge.tables.cancel)
  const retry = useMutation(api.knowledge.tables.retry)
  if (table.status === 'ready') return null
  const hasFailed = table.status === 'error'
  const act = hasFailed ? retry : cancel
  const Icon = hasFailed ? RotateCw : X
  return (
    <Button
      size="sm"
      variant={hasFailed ? 'secondary' : 'ghost'}
      onClick={() => void act({ tableId: table._id }).catch(() => undefined)}
      aria-label={t(($) => $.list[hasFailed ? 'retryOf' : 'cancelOf'], { name: table.name })}
    >
      <Icon aria-hidden="true" />
      {t(($) => $.list[hasFailed ? 'retry' : 'cancel'])}
    </Button>
  )
}

function TableMenu({ table, onOpen, onRemove }: Omit<TableRowProps, 'onChooseSheets'>) {
  const { t } = useTranslation('tables')
  const mayWrite = useMay('knowledge.write')
  const open = { label: t(($) => $.list.view), Icon: Table2, onSelect: onOpen }
  const remove = { label: t(($) => $.list.remove), Icon: Trash2, onSelect: onRemove, isDestructive: true }
  return (
    <RowMenu
      label={t(($) => $.list.actions, { name: table.name })}
      actions={[...(table.isAnalyzed ? [open] : []), ...(mayWrite ? [remove] : [])]}
    />
  )
}
