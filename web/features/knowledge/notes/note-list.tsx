// The notes of a space as a list to look through: searched by the server, read as it is scrolled.
import { FileSearch, Pencil, Trash2 } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useCallback } from 'react'
import type { Fragment, KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { ListSearch } from '#web/components/lists/list-search.tsx'
import { useLastLoaded, useRested } from '#web/components/lists/use-steady.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { PageList } from '../lists/page-list.tsx'
import { MarkBadges, MarksButton } from '../marks/source-marks.tsx'

const PAGE_SIZE = 50
const ROW_HEIGHT_PX = 86

type NoteListProps = { space: KnowledgeSpace; onEdit: (note: Fragment) => void; onRemove: (note: Fragment) => void }

/** Live, page by page. What is searched for is in the URL (`?search=`). */
export function NoteList({ space, onEdit, onRemove }: NoteListProps) {
  const { t } = useTranslation('knowledge')
  const [search, setSearch] = useQueryState('search', parseAsString.withDefault(''))
  const args = { knowledgeSpaceId: space._id, search: useRested(search) }
  const pages = usePaginatedQuery(api.knowledge.fragments.list, args, { initialNumItems: PAGE_SIZE })
  const { loadMore } = pages
  const loadNext = useCallback(() => loadMore(PAGE_SIZE), [loadMore])
  const notes = useLastLoaded<Fragment[]>(pages.status === 'LoadingFirstPage' ? undefined : pages.results)
  if (!notes) {
    return (
      <Delayed>
        <Skeleton className="h-48 rounded-xl" />
      </Delayed>
    )
  }
  return (
    <>
      <ListSearch label={t(($) => $.notes.search)} value={search} onChange={(text) => void setSearch(text || null)} />
      {notes.length === 0 ? (
        <EmptyState
          icon={FileSearch}
          title={t(($) => $.notes.nothingTitle)}
          description={t(($) => $.notes.nothingBody)}
          action={<Button onClick={() => void setSearch(null)}>{t(($) => $.notes.showAll)}</Button>}
        />
      ) : (
        <PageList
          items={notes}
          label={t(($) => $.notes.listLabel)}
          itemHeightPx={ROW_HEIGHT_PX}
          canLoadMore={pages.status === 'CanLoadMore'}
          onLoadMore={loadNext}
        >
          {(note) => <NoteRow note={note} onEdit={() => onEdit(note)} onRemove={() => onRemove(note)} />}
        </PageList>
      )}
    </>
  )
}

function NoteRow({ note, onEdit, onRemove }: { note: Fragment; onEdit: () => void; onRemove: () => void }) {
  const { t } = useTranslation('knowledge')
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <p className="font-medium">{note.name}</p>
          <MarkBadges marks={note} />
        </div>
        <p className="mt-0.5 line-clamp-3 whitespace-pre-wrap text-muted-foreground">{note.content}</p>
        <p className="mt-1 text-muted-foreground text-xs">
          {t(($) => $.documents.tokens, { count: note.tokens })}
          {note.alsoAskedAs.length > 0 && ` · ${t(($) => $.notes.wordings, { count: note.alsoAskedAs.length })}`}
        </p>
      </div>
      <May need="knowledge.write">
        <MarksButton source={note} />
        <Button
          variant="ghost"
          size="icon-sm"
          onClick={onEdit}
          aria-label={t(($) => $.notes.edit, { name: note.name })}
        >
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
      </May>
    </div>
  )
}
