// The tables of a space: adding them, and what becomes of each.
import { Table2 } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge.ts'
import type { DataTable } from '#shared/tables.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { TABLE_UPLOADS } from '../documents/upload.rules.ts'
import { UploadArea } from '../documents/upload-area.tsx'
import { UploadList } from '../documents/upload-list.tsx'
import { useUploads } from '../documents/use-uploads.ts'
import { GoneDialog } from '../lists/if-gone.tsx'
import { RemoveTableDialog } from './remove-table-dialog.tsx'
import { TableDialog } from './table-dialog.tsx'
import { TableRow } from './table-row.tsx'

/** Live. The open table is in the URL (`?table=<id>`). Needs texts `knowledge` and `tables`. */
export function TablesTab({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('tables')
  const tables: DataTable[] | undefined = useQuery(api.knowledge.tables.list, { knowledgeSpaceId: space._id })
  const { uploads, queue } = useUploads(space._id, TABLE_UPLOADS)
  const [openId, setOpenId] = useQueryState('table', parseAsString)
  const [removed, setRemoved] = useState<DataTable | null>(null)
  const opened = tables?.find(({ _id }) => _id === openId)
  return (
    <div className="flex flex-col gap-4">
      <UploadArea kind={TABLE_UPLOADS} onFiles={(files) => queue.add(files)} />
      <UploadList uploads={uploads} queue={queue} />
      {!tables && (
        <Delayed>
          <Skeleton className="h-48 rounded-xl" />
        </Delayed>
      )}
      {tables?.length === 0 && uploads.length === 0 && (
        <EmptyState icon={Table2} title={t(($) => $.list.emptyTitle)} description={t(($) => $.list.emptyBody)} />
      )}
      {tables && tables.length > 0 && (
        <Card>
          <ul aria-label={t(($) => $.list.label)} className="divide-y divide-border">
            {tables.map((table) => (
              <TableRow
                key={table._id}
                table={table}
                onOpen={() => setOpenId(table._id)}
                onRemove={() => setRemoved(table)}
              />
            ))}
          </ul>
        </Card>
      )}
      {openId && tables && !opened && <GoneDialog onClose={() => setOpenId(null)} />}
      <TableDialog table={opened} onClose={() => setOpenId(null)} />
      {removed && <RemoveTableDialog space={space} table={removed} onClose={() => setRemoved(null)} />}
    </div>
  )
}
