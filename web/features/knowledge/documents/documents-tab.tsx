// The documents of a space: adding them, and what becomes of each.

import { parseAsString, useQueryStates } from 'nuqs'
import { useState } from 'react'
import type { ChunkSource } from '#shared/knowledge/chunks.ts'
import type { KnowledgeDocument, KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { PassageViewer } from '#web/components/passages/passage-viewer.tsx'
import { useQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { IfGone } from '../lists/if-gone.tsx'
import { chooseFile } from './choose-file.ts'
import { ChunkActions } from './chunk-actions.tsx'
import { DocumentList } from './document-list.tsx'
import { RemoveDocumentDialog } from './remove-document-dialog.tsx'
import { UploadArea } from './upload-area.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

/** Live. The open document is in the URL, and the passage to show of it (`?document=<id>&chunk=<id>`). */
export function DocumentsTab({ space }: { space: KnowledgeSpace }) {
  const { uploads, queue } = useUploads(space._id)
  const [{ document, chunk }, setOpened] = useQueryStates({ document: parseAsString, chunk: parseAsString })
  const [removed, setRemoved] = useState<KnowledgeDocument | null>(null)
  const close = () => void setOpened(null)
  return (
    <div className="flex flex-col gap-4">
      <May need="knowledge.write">
        <UploadArea onFiles={(files) => queue.add(files)} />
      </May>
      <UploadList uploads={uploads} queue={queue} />
      <DocumentList
        space={space}
        isUploading={uploads.length > 0}
        onOpen={({ _id }) => void setOpened({ document: _id, chunk: null })}
        onRemove={setRemoved}
        onReplace={({ _id, name }) =>
          chooseFile(queue.kind.extensions, (file) => queue.addVersion(file, { documentId: _id, name }))
        }
      />
      {document && (
        <IfGone key={document} onClose={close}>
          <OpenDocument id={document} chunkId={chunk ?? undefined} onClose={close} />
        </IfGone>
      )}
      {removed && <RemoveDocumentDialog space={space} document={removed} onClose={() => setRemoved(null)} />}
    </div>
  )
}

type OpenDocumentProps = { id: string; chunkId: string | undefined; onClose: () => void }

/** @throws not_found while rendering, for a document that was deleted */
function OpenDocument({ id, chunkId, onClose }: OpenDocumentProps) {
  const source: ChunkSource | undefined = useQuery(api.knowledge.chunks.source, { sourceId: id })
  return (
    <PassageViewer
      source={source ? { documentId: id, name: source.name, chunkId } : null}
      onClose={onClose}
      actions={(passage) => (
        <May need="knowledge.write">
          <ChunkActions chunk={passage} />
        </May>
      )}
    />
  )
}
