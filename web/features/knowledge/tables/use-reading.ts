// Rereading the file of a table as its owner decides.
import { useState } from 'react'
import type { DataTable, TableReading } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

/** `save` adds to earlier answers, `replace` drops them. `obstacle`: why the file cannot be read again now, undefined when it can. */
export function useReading(table: DataTable) {
  const { t } = useTranslation('tables')
  const setReading = useMutation(api.knowledge.tables.setReading)
  const [isBusy, setBusy] = useState(false)
  async function replace(reading: TableReading) {
    setBusy(true)
    await setReading({ tableId: table._id, reading }).catch(() => undefined) // the toast reports it
    setBusy(false)
  }
  const isReading = table.status === 'uploaded' || table.status === 'analyzing'
  return {
    save: (reading: TableReading) => replace({ ...table.reading, ...reading }),
    replace,
    isBusy: isBusy || isReading,
    obstacle: table.importedColumn === null ? undefined : t(($) => $.questions.hasChunks),
  }
}
