// The tables of a space: adding them, and what becomes of each.

import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { TABLE_UPLOADS } from '../documents/upload.rules.ts'
import { UploadArea } from '../documents/upload-area.tsx'
import { UploadList } from '../documents/upload-list.tsx'
import { useUploads } from '../documents/use-uploads.ts'
import { IfGone } from '../lists/if-gone.tsx'
import { RemoveTableDialog } from './remove-table-dialog.tsx'
import { SheetsDialog } from './sheets-dialog.tsx'
import { TableDialog } from './table-dialog.tsx'
import { TableList } from './table-list.tsx'

/** Live. The open table is in the URL (`?table=<id>`). Needs texts `knowledge` and `tables`. */
export function TablesTab({ space }: { space: KnowledgeSpace }) {
  const { uploads, queue } = useUploads(space._id, TABLE_UPLOADS)
  const [openId, setOpenId] = useQueryState('table', parseAsString)
  const [removed, setRemoved] = useState<DataTable | null>(null)
  const [choosing, setChoosing] = useState<DataTable | null>(null)
  const close = () => void setOpenId(null)
  return (
    <div className="flex flex-col gap-4">
      <May need="knowledge.write">
        <UploadArea kind={TABLE_UPLOADS} onFiles={(files) => queue.add(files)} />
      </May>
      <UploadList uploads={uploads} queue={queue} />
      <TableList
        space={space}
        isUploading={uploads.length > 0}
        onOpen={({ _id }) => void setOpenId(_id)}
        onRemove={setRemoved}
        onChooseSheets={setChoosing}
      />
      {openId && (
        <IfGone key={openId} onClose={close}>
          <OpenTable id={openId as Id<'tables'>} onClose={close} />
        </IfGone>
      )}
      {choosing && (
        <IfGone key={choosing._id} onClose={() => setChoosing(null)}>
          <SheetsDialog table={choosing} onClose={() => setChoosing(null)} />
        </IfGone>
      )}
      {removed && <RemoveTableDialog space={space} table={removed} onClose={() => setRemoved(null)} />}
    </div>
  )
}

/** @throws not_found while rendering, for a table that was deleted */
function OpenTable({ id, onClose }: { id: Id<'tables'>; onClose: () => void }) {
  const table: DataTable | undefined = useQuery(api.knowledge.tables.get, { tableId: id })
  return <TableDialog table={table} onClose={onClose} />
}
