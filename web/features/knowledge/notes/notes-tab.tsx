// The notes of a space: short answers in the organization's own words.

import { FileUp, Plus, StickyNote } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import type { Fragment, KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useMay, WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { IfGone } from '../lists/if-gone.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { NoteDialog } from './note-dialog.tsx'
import { NoteList } from './note-list.tsx'
import { RemoveNoteDialog } from './remove-note-dialog.tsx'

/** Live. `?note=<id>` opens a note. */
export function NotesTab({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const [edited, setEdited] = useState<Fragment | 'new' | null>(null)
  const [removed, setRemoved] = useState<Fragment | null>(null)
  const [isImporting, setImporting] = useState(false)
  const mayWrite = useMay('knowledge.write')
  useShortcut('newItem', () => setEdited('new'), { isEnabled: mayWrite })
  const buttons = mayWrite && (
    <>
      <Button variant="primary" onClick={() => setEdited('new')}>
        <Plus aria-hidden="true" />
        {t(($) => $.notes.create)}
      </Button>
      <Button onClick={() => setImporting(true)}>
        <FileUp aria-hidden="true" />
        {t(($) => $.import.open)}
      </Button>
    </>
  )
  return (
    <div className="flex flex-col gap-4">
      {space.fragments === 0 ? (
        <EmptyState
          icon={StickyNote}
          title={t(($) => $.notes.emptyTitle)}
          description={t(($) => $.notes.emptyBody)}
          action={<div className="flex flex-wrap justify-center gap-2">{buttons}</div>}
        />
      ) : (
        <>
          <div className="flex flex-wrap gap-2">{buttons}</div>
          <NoteList space={space} onEdit={setEdited} onRemove={setRemoved} />
        </>
      )}
      {edited && (
        <NoteDialog space={space} note={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />
      )}
      <LinkedNote space={space} />
      {isImporting && <ImportDialog space={space} onClose={() => setImporting(false)} />}
      {removed && <RemoveNoteDialog space={space} note={removed} onClose={() => setRemoved(null)} />}
    </div>
  )
}

/** The note that the URL names (`?note=<id>`), as a link from an answer does. */
function LinkedNote({ space }: { space: KnowledgeSpace }) {
  const [noteId, setNoteId] = useQueryState('note', parseAsString)
  const close = () => void setNoteId(null)
  return (
    noteId && (
      <IfGone key={noteId} onClose={close}>
        <OpenNote space={space} id={noteId as Id<'fragments'>} onClose={close} />
      </IfGone>
    )
  )
}

type OpenNoteProps = { space: KnowledgeSpace; id: Id<'fragments'>; onClose: () => void }

/** @throws not_found while rendering, for a note that was deleted */
function OpenNote({ space, id, onClose }: OpenNoteProps) {
  const note: Fragment | undefined = useQuery(api.knowledge.fragments.get, { fragmentId: id })
  return (
    note && (
      <WritableBy permission="knowledge.write" isQuiet>
        <NoteDialog space={space} note={note} onClose={onClose} />
      </WritableBy>
    )
  )
}
