// Which sheets of a workbook become tables.
import { type FormEvent, useState } from 'react'
import type { DataTable, SheetState } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'

type SheetsDialogProps = { table: DataTable; onClose: () => void }

/** Open while mounted. */
export function SheetsDialog({ table, onClose }: SheetsDialogProps) {
  const { t } = useTranslation('tables')
  const sheets: SheetState[] | undefined = useQuery(api.knowledge.tables.sheets, { tableId: table._id })
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={t(($) => $.sheets.title)}
        description={t(($) => $.sheets.description, { name: table.name })}
      >
        {sheets ? (
          <SheetForm table={table} sheets={sheets} onClose={onClose} />
        ) : (
          <Delayed>
            <Skeleton className="h-32 rounded-lg" />
          </Delayed>
        )}
      </DialogContent>
    </Dialog>
  )
}

/** Sheets that are tables already are fixed; tables are deleted in the list. */
function SheetForm({ table, sheets, onClose }: SheetsDialogProps & { sheets: SheetState[] }) {
  const { t } = useTranslation('tables')
  const take = useMutation(api.knowledge.tables.takeSheets)
  const [chosen, setChosen] = useState<string[]>([])
  const [isMissing, setMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  async function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(chosen.length === 0)
    if (chosen.length === 0) return
    setBusy(true)
    try {
      await take({ tableId: table._id, sheets: chosen })
      onClose()
    } catch {
      setBusy(false) // reported in a toast
    }
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <ul aria-label={t(($) => $.sheets.title)} className="flex flex-col">
        {sheets.map((sheet) => (
          <li key={sheet.name}>
            <SheetChoice
              sheet={sheet}
              isChosen={chosen.includes(sheet.name)}
              onChoose={(isOn) => {
                setMissing(false)
                setChosen(isOn ? [...chosen, sheet.name] : chosen.filter((name) => name !== sheet.name))
              }}
            />
          </li>
        ))}
      </ul>
      {isMissing && (
        <p role="alert" className="text-[0.8125rem] text-destructive-soft-foreground">
          {t(($) => $.sheets.required)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t(($) => $.sheets.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {t(($) => $.sheets.take)}
        </Button>
      </div>
    </form>
  )
}

type SheetChoiceProps = { sheet: SheetState; isChosen: boolean; onChoose: (isOn: boolean) => void }

function SheetChoice({ sheet: { name, tableId }, isChosen, onChoose }: SheetChoiceProps) {
  const { t } = useTranslation('tables')
  return (
    <label className="flex min-h-10 items-center gap-3 rounded-lg px-3 py-2 hover:bg-accent pointer-coarse:min-h-11">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-primary"
        checked={tableId !== null || isChosen}
        disabled={tableId !== null}
        onChange={({ target }) => onChoose(target.checked)}
      />
      <span className="min-w-0 break-words">{name}</span>
      {tableId !== null && <Badge className="ms-auto shrink-0">{t(($) => $.sheets.isTable)}</Badge>}
    </label>
  )
}
