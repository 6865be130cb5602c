// An open table: what its columns hold, its rows, and the texts of the imported column.
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { ColumnList } from './column-list.tsx'
import { ImportPanel } from './import-panel.tsx'
import { RowGrid } from './row-grid.tsx'
import { TextList } from './text-list.tsx'

const VIEWS = ['columns', 'rows', 'texts'] as const

/** Open while there is an analyzed table. The view is in the URL (`?view=rows`). */
export function TableDialog({ table, onClose }: { table: DataTable | undefined; onClose: () => void }) {
  const { t } = useTranslation('tables')
  const [view, setView] = useQueryState('view', parseAsStringLiteral(VIEWS).withDefault('columns'))
  const opened = table?.isAnalyzed ? table : undefined
  function close() {
    void setView(null)
    onClose()
  }
  return (
    <Dialog open={opened !== undefined} onOpenChange={(isOpen) => !isOpen && close()}>
      {opened && (
        <DialogContent title={opened.name} description={t(($) => $.dialog.description)} className="max-w-4xl">
          <Tabs value={view} onValueChange={(next) => setView(VIEWS.find((known) => known === next) ?? null)}>
            <TabsList aria-label={t(($) => $.dialog.views)}>
              {VIEWS.map((known) => (
                <TabsTrigger key={known} value={known}>
                  {t(($) => $.dialog[known])}
                </TabsTrigger>
              ))}
            </TabsList>
            <TabsContent value="columns">
              <ColumnList table={opened} />
            </TabsContent>
            <TabsContent value="rows">
              <RowGrid table={opened} />
            </TabsContent>
            <TabsContent value="texts" className="flex flex-col gap-5">
              <ImportPanel table={opened} />
              {opened.importedColumn !== null && <TextList table={opened} />}
            </TabsContent>
          </Tabs>
        </DialogContent>
      )}
    </Dialog>
  )
}
