// The notes of a space: short answers in the organization's own words.
import { FileUp, Pencil, Plus, StickyNote, Trash2 } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import type { Fragment, KnowledgeSpace } from '#shared/knowledge.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useMutation, usePaginatedQuery, useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { toast } from '#web/lib/toast.ts'
import { ImportDialog } from './import-dialog.tsx'
import { NoteDialog } from './note-dialog.tsx'

const PAGE_SIZE = 30

/** Live, page by page. `?note=<id>` opens a note. */
export function NotesTab({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const { results, status, loadMore } = usePaginatedQuery(
    api.knowledge.fragments.list,
    { knowledgeSpaceId: space._id },
    { initialNumItems: PAGE_SIZE },
  )
  const notes: Fragment[] = results
  const [edited, setEdited] = useState<Fragment | 'new' | null>(null)
  const [removed, setRemoved] = useState<Fragment | null>(null)
  const [isImporting, setImporting] = useState(false)
  const linked = useLinkedNote()
  useShortcut('newItem', () => setEdited('new'))
  const createButton = (
    <Button variant="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden="true" />
      {t(($) => $.notes.create)}
    </Button>
  )
  const importButton = (
    <Button onClick={() => setImporting(true)}>
      <FileUp aria-hidden="true" />
      {t(($) => $.import.open)}
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      {notes.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {createButton}
          {importButton}
        </div>
      )}
      {status === 'LoadingFirstPage' && (
        <Delayed>
          <Skeleton className="h-48 rounded-xl" />
        </Delayed>
      )}
      {status !== 'LoadingFirstPage' && notes.length === 0 && (
        <EmptyState
          icon={StickyNote}
          title={t(($) => $.notes.emptyTitle)}
          description={t(($) => $.notes.emptyBody)}
          action={
            <div className="flex flex-wrap justify-center gap-2">
              {createButton}
              {importButton}
            </div>
          }
        />
      )}
      {notes.length > 0 && (
        <Card>
          <ul className="divide-y divide-border">
            {notes.map((note) => (
              <NoteRow key={note._id} note={note} onEdit={() => setEdited(note)} onRemove={() => setRemoved(note)} />
            ))}
          </ul>
        </Card>
      )}
      {(status === 'CanLoadMore' || status === 'LoadingMore') && (
        <Button className="self-center" isBusy={status === 'LoadingMore'} onClick={() => loadMore(PAGE_SIZE)}>
          {t(($) => $.notes.more)}
        </Button>
      )}
      {edited && (
        <NoteDialog space={space} note={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />
      )}
      {linked.note && <NoteDialog key={linked.note._id} space={space} note={linked.note} onClose={linked.close} />}
      {isImporting && <ImportDialog space={space} onClose={() => setImporting(false)} />}
      {removed && <RemoveNoteDialog note={removed} onClose={() => setRemoved(null)} />}
    </div>
  )
}

/** The note that the URL names (`?note=<id>`), as a link from an answer does. */
function useLinkedNote(): { note: Fragment | undefined; close: () => void } {
  const [noteId, setNoteId] = useQueryState('note', parseAsString)
  const note: Fragment | undefined = useQuery(
    api.knowledge.fragments.get,
    noteId ? { fragmentId: noteId as Id<'fragments'> } : 'skip',
  )
  return { note, close: () => void setNoteId(null) }
}

function NoteRow({ note, onEdit, onRemove }: { note: Fragment; onEdit: () => void; onRemove: () => void }) {
  const { t } = useTranslation('knowledge')
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{note.name}</p>
        <p className="mt-0.5 line-clamp-3 whitespace-pre-wrap text-muted-foreground">{note.content}</p>
        <p className="mt-1 text-muted-foreground text-xs">
          {t(($) => $.documents.tokens, { count: note.tokens })}
          {note.alsoAskedAs.length > 0 && ` · ${t(($) => $.notes.wordings, { count: note.alsoAskedAs.length })}`}
        </p>
      </div>
      <Button variant="ghost" size="icon-sm" onClick={onEdit} aria-label={t(($) => $.notes.edit, { name: note.name })}>
        <Pencil />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        onClick={onRemove}
        aria-label={t(($) => $.notes.remove, { name: note.name })}
      >
        <Trash2 />
      </Button>
    </li>
  )
}

function RemoveNoteDialog({ note, onClose }: { note: Fragment; onClose: () => void }) {
  const { t } = useTranslation('knowledge')
  const remove = useMutation(api.knowledge.fragments.remove)
  const [isBusy, setBusy] = useState(false)
  async function confirm() {
    setBusy(true)
    try {
      await remove({ fragmentId: note._id })
      toast.success(t(($) => $.notes.removed))
      onClose()
    } catch {
      setBusy(false) // the toast has told; the dialog stays
    }
  }
  return (
    <AlertDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t(($) => $.notes.removeTitle, { name: note.name })}
      description={t(($) => $.notes.removeDescription)}
      confirmLabel={t(($) => $.notes.removeConfirm)}
      onConfirm={confirm}
      isDestructive
      isBusy={isBusy}
    />
  )
}
