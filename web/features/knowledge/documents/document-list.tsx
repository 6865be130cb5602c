// The documents of a space as a list: searched, filtered and sorted by the server, loaded on scroll.
import { FileSearch, FileText } from 'lucide-react'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useCallback } from 'react'
import {
  DOCUMENT_SORTS,
  DOCUMENT_STATES,
  type KnowledgeDocument,
  type KnowledgeSpace,
} from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { ListSearch } from '#web/components/lists/list-search.tsx'
import { useLastLoaded, useRested } from '#web/components/lists/use-steady.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { usePaginatedQuery, useQuery } from '#web/lib/server/convex.ts'
import { PageList } from '../lists/page-list.tsx'
import { DocumentRow } from './document-row.tsx'

const PAGE_SIZE = 50
const ROW_HEIGHT_PX = 66

/** Search, filters and order, kept in the URL. */
const VIEW = {
  search: parseAsString.withDefault(''),
  status: parseAsStringLiteral(DOCUMENT_STATES),
  sort: parseAsStringLiteral(DOCUMENT_SORTS).withDefault('newest'),
}

type DocumentListProps = {
  space: KnowledgeSpace
  /** Files are being uploaded: the list shows no empty state. */
  isUploading: boolean
  onOpen: (document: KnowledgeDocument) => void
  onRemove: (document: KnowledgeDocument) => void
  /** Chooses a new file for the document. */
  onReplace: (document: KnowledgeDocument) => void
}

/** Live, page by page. */
export function DocumentList({ space, isUploading, onOpen, onRemove, onReplace }: DocumentListProps) {
  const { t } = useTranslation('knowledge')
  const [{ search, status, sort }, setView] = useQueryStates(VIEW, { history: 'replace' })
  const rested = useRested(search)
  const filter = { knowledgeSpaceId: space._id, search: rested, ...(status && { status }) }
  const isFiltered = rested.trim() !== '' || status !== null
  const pages = usePaginatedQuery(api.knowledge.documents.browse, { ...filter, sort }, { initialNumItems: PAGE_SIZE })
  const { loadMore } = pages
  const loadNext = useCallback(() => loadMore(PAGE_SIZE), [loadMore])
  const documents = useLastLoaded<KnowledgeDocument[]>(pages.status === 'LoadingFirstPage' ? undefined : pages.results)
  if (!documents) {
    return (
      <Delayed>
        <Skeleton className="h-48 rounded-xl" />
      </Delayed>
    )
  }
  const isEmpty = documents.length === 0
  if (isEmpty && !isFiltered) {
    return isUploading ? null : (
      <EmptyState
        icon={FileText}
        title={t(($) => $.documents.emptyTitle)}
        description={t(($) => $.documents.emptyBody)}
      />
    )
  }
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <ListSearch
          className="min-w-0 flex-1 basis-full sm:basis-56"
          label={t(($) => $.documents.search)}
          value={search}
          onChange={(text) => void setView({ search: text || null })}
        />
        <StatusSelect value={status} onChange={(next) => void setView({ status: next })} />
        <Select
          className="w-auto flex-1 basis-36 sm:max-w-48"
          aria-label={t(($) => $.documents.sortLabel)}
          value={sort}
          onValueChange={(next) => void setView({ sort: DOCUMENT_SORTS.find((each) => each === next) ?? null })}
          options={DOCUMENT_SORTS.map((each) => ({ value: each, label: t(($) => $.documents.sort[each]) }))}
        />
      </div>
      {isFiltered && <Found filter={filter} />}
      {isEmpty ? (
        <EmptyState
          icon={FileSearch}
          title={t(($) => $.documents.nothingTitle)}
          description={t(($) => $.documents.nothingBody)}
          action={
            <Button onClick={() => void setView({ search: null, status: null })}>
              {t(($) => $.documents.showAll)}
            </Button>
          }
        />
      ) : (
        <PageList
          items={documents}
          label={t(($) => $.documents.listLabel)}
          itemHeightPx={ROW_HEIGHT_PX}
          canLoadMore={pages.status === 'CanLoadMore'}
          onLoadMore={loadNext}
        >
          {(document) => (
            <DocumentRow
              document={document}
              onOpen={() => onOpen(document)}
              onRemove={() => onRemove(document)}
              onReplace={() => onReplace(document)}
            />
          )}
        </PageList>
      )}
    </>
  )
}

type Status = KnowledgeDocument['status'] | null
/** An option needs a value. */
const ANY = 'any'

function StatusSelect({ value, onChange }: { value: Status; onChange: (value: Status) => void }) {
  const { t } = useTranslation('knowledge')
  const states = DOCUMENT_STATES.map((state) => ({ value: state, label: t(($) => $.status[state]) }))
  return (
    <Select
      className="w-auto flex-1 basis-36 sm:max-w-48"
      aria-label={t(($) => $.documents.statusLabel)}
      value={value ?? ANY}
      onValueChange={(next) => onChange(DOCUMENT_STATES.find((state) => state === next) ?? null)}
      options={[{ value: ANY, label: t(($) => $.documents.anyStatus) }, ...states]}
    />
  )
}

type Filter = { knowledgeSpaceId: KnowledgeSpace['_id']; search: string; status?: KnowledgeDocument['status'] }

/** The number of matches, announced when it changes. */
function Found({ filter }: { filter: Filter }) {
  const { t } = useTranslation('knowledge')
  const count = useLastLoaded<number>(useQuery(api.knowledge.documents.count, filter))
  return (
    <p role="status" className="text-[0.8125rem] text-muted-foreground">
      {count !== undefined && t(($) => $.documents.found, { count })}
    </p>
  )
}
