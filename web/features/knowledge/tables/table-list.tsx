// The tables of a space as a list to look through: searched by the server, read as it is scrolled.
import { FileSearch, Table2 } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useCallback } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { ListSearch } from '#web/components/lists/list-search.tsx'
import { useLastLoaded, useRested } from '#web/components/lists/use-steady.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'
import { PageList } from '../lists/page-list.tsx'
import { TableRow } from './table-row.tsx'

const PAGE_SIZE = 50
const ROW_HEIGHT_PX = 66

type TableListProps = {
  space: KnowledgeSpace
  /** Files are on their way: an empty list needs no further words. */
  isUploading: boolean
  onOpen: (table: DataTable) => void
  onRemove: (table: DataTable) => void
  onChooseSheets: (table: DataTable) => void
}

/** Live, page by page. What is searched for is in the URL (`?search=`). */
export function TableList({ space, isUploading, onOpen, onRemove, onChooseSheets }: TableListProps) {
  const { t } = useTranslation('tables')
  const [search, setSearch] = useQueryState('search', parseAsString.withDefault(''))
  const rested = useRested(search)
  const args = { knowledgeSpaceId: space._id, search: rested }
  const pages = usePaginatedQuery(api.knowledge.tables.list, args, { initialNumItems: PAGE_SIZE })
  const { loadMore } = pages
  const loadNext = useCallback(() => loadMore(PAGE_SIZE), [loadMore])
  const tables = useLastLoaded<DataTable[]>(pages.status === 'LoadingFirstPage' ? undefined : pages.results)
  if (!tables) {
    return (
      <Delayed>
        <Skeleton className="h-48 rounded-xl" />
      </Delayed>
    )
  }
  const isEmpty = tables.length === 0
  if (isEmpty && search === '' && rested === '') {
    return isUploading ? null : (
      <EmptyState icon={Table2} title={t(($) => $.list.emptyTitle)} description={t(($) => $.list.emptyBody)} />
    )
  }
  return (
    <>
      <ListSearch label={t(($) => $.list.search)} value={search} onChange={(text) => void setSearch(text || null)} />
      {isEmpty ? (
        <EmptyState
          icon={FileSearch}
          title={t(($) => $.list.nothingTitle)}
          description={t(($) => $.list.nothingBody)}
          action={<Button onClick={() => void setSearch(null)}>{t(($) => $.list.showAll)}</Button>}
        />
      ) : (
        <PageList
          items={tables}
          label={t(($) => $.list.label)}
          itemHeightPx={ROW_HEIGHT_PX}
          canLoadMore={pages.status === 'CanLoadMore'}
          onLoadMore={loadNext}
        >
          {(table) => (
            <TableRow
              table={table}
              onOpen={() => onOpen(table)}
              onRemove={() => onRemove(table)}
              onChooseSheets={() => onChooseSheets(table)}
            />
          )}
        </PageList>
      )}
    </>
  )
}
