// The documents of a space: adding them, and what becomes of each.
import { FileText } from 'lucide-react'
import { parseAsString, useQueryStates } from 'nuqs'
import { useState } from 'react'
import type { KnowledgeDocument, KnowledgeSpace } from '#shared/knowledge.ts'
import { api } from '#web/api.ts'
import { PassageViewer } from '#web/components/passages/passage-viewer.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ChunkActions } from './chunk-actions.tsx'
import { DocumentRow } from './document-row.tsx'
import { RemoveDocumentDialog } from './remove-document-dialog.tsx'
import { UploadArea } from './upload-area.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

/** Live. The open document is in the URL, and the passage to show of it (`?document=<id>&chunk=<id>`). */
export function DocumentsTab({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const documents: KnowledgeDocument[] | undefined = useQuery(api.knowledge.documents.list, {
    knowledgeSpaceId: space._id,
  })
  const { uploads, queue } = useUploads(space._id)
  const [{ document: openId, chunk }, setOpened] = useQueryStates({ document: parseAsString, chunk: parseAsString })
  const [removed, setRemoved] = useState<KnowledgeDocument | null>(null)
  const opened = documents?.find((document) => document._id === openId)
  return (
    <div className="flex flex-col gap-4">
      <UploadArea onFiles={(files) => queue.add(files)} />
      <UploadList uploads={uploads} queue={queue} />
      {!documents && (
        <Delayed>
          <Skeleton className="h-48 rounded-xl" />
        </Delayed>
      )}
      {documents?.length === 0 && uploads.length === 0 && (
        <EmptyState
          icon={FileText}
          title={t(($) => $.documents.emptyTitle)}
          description={t(($) => $.documents.emptyBody)}
        />
      )}
      {documents && documents.length > 0 && (
        <Card>
          <ul aria-label={t(($) => $.documents.listLabel)} className="divide-y divide-border">
            {documents.map((document) => (
              <DocumentRow
                key={document._id}
                document={document}
                onOpen={() => setOpened({ document: document._id, chunk: null })}
                onRemove={() => setRemoved(document)}
              />
            ))}
          </ul>
        </Card>
      )}
      <PassageViewer
        source={opened ? { documentId: opened._id, name: opened.name, chunkId: chunk ?? undefined } : null}
        onClose={() => setOpened(null)}
        actions={(passage) => <ChunkActions chunk={passage} />}
      />
      {removed && <RemoveDocumentDialog space={space} document={removed} onClose={() => setRemoved(null)} />}
    </div>
  )
}
