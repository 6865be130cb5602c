// /admin/members: the people of all organizations, with what an administrator can do about each.
import { Download, SearchX } from 'lucide-react'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useState } from 'react'
import type { AdminPerson, PeopleFile, PeopleFilters } from '#shared/organizations/admin.ts'
import { USER_ROLES } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { ListSearch } from '#web/components/lists/list-search.tsx'
import { useLastLoaded, useRested } from '#web/components/lists/use-steady.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { fetchOnce, usePaginatedQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { type PersonAct, PersonDialog } from './person-dialog.tsx'
import { PersonRow } from './person-row.tsx'

const PAGE_SIZE = 25
/** In the select, whose values may not be empty. */
const ANY = 'any'

/** Kept in the address. */
const VIEW = { search: parseAsString.withDefault(''), role: parseAsStringLiteral(USER_ROLES) }

/** Live, page by page. */
export function AdminMembersPage() {
  const { t } = useTranslation('admin')
  const [{ search, role }, setView] = useQueryStates(VIEW, { history: 'replace' })
  const filters: PeopleFilters = { search: useRested(search), ...(role !== null && { role }) }
  return (
    <AdminLayout tab="members">
      <CardSection title={t(($) => $.members.title)} description={t(($) => $.members.description)}>
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap gap-2">
            <ListSearch
              className="min-w-0 flex-1 basis-full sm:basis-56"
              label={t(($) => $.members.search)}
              value={search}
              onChange={(text) => void setView({ search: text || null })}
            />
            <Select
              className="w-auto flex-1 basis-44 sm:max-w-60"
              aria-label={t(($) => $.members.roleLabel)}
              value={role ?? ANY}
              onValueChange={(next) => void setView({ role: USER_ROLES.find((each) => each === next) ?? null })}
              options={[
                { value: ANY, label: t(($) => $.members.anyRole) },
                ...USER_ROLES.map((each) => ({ value: each, label: t(($) => $.members.roles[each]) })),
              ]}
            />
            <FileButton filters={filters} />
          </div>
          <Found filters={filters} onShowAll={() => void setView({ search: null, role: null })} />
        </div>
      </CardSection>
    </AdminLayout>
  )
}

function Found({ filters, onShowAll }: { filters: PeopleFilters; onShowAll: () => void }) {
  const { t } = useTranslation('admin')
  const pages = usePaginatedQuery(api.admin.members.list, filters, { initialNumItems: PAGE_SIZE })
  const [asked, setAsked] = useState<PersonAct | null>(null)
  const people = useLastLoaded<AdminPerson[]>(pages.status === 'LoadingFirstPage' ? undefined : pages.results)
  if (!people) {
    return (
      <Delayed>
        <Skeleton className="h-64" />
      </Delayed>
    )
  }
  return (
    <>
      {people.length === 0 && (
        <EmptyState
          icon={SearchX}
          title={t(($) => $.members.notFound)}
          description={t(($) => $.members.notFoundHint)}
          action={
            <Button isForReading onClick={onShowAll}>
              {t(($) => $.showAll)}
            </Button>
          }
        />
      )}
      <ul className="divide-y divide-border" aria-label={t(($) => $.members.title)}>
        {people.map((person) => (
          <PersonRow key={person._id} person={person} onAsk={(what) => setAsked({ what, person })} />
        ))}
      </ul>
      {pages.status === 'CanLoadMore' && (
        <Button isForReading className="self-center" onClick={() => pages.loadMore(PAGE_SIZE)}>
          {t(($) => $.more)}
        </Button>
      )}
      {asked && <PersonDialog act={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function FileButton({ filters }: { filters: PeopleFilters }) {
  const { t } = useTranslation('admin')
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      const file: PeopleFile = await fetchOnce(api.admin.members.export, { ...filters, language: currentLanguage() })
      saveFile(file.name, file.csv, 'text/csv')
      if (file.isCut) toast.notice(t(($) => $.members.cut))
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button isForReading isBusy={isBusy} aria-label={t(($) => $.members.csv)} onClick={() => void save()}>
      {!isBusy && <Download aria-hidden="true" />}
      CSV
    </Button>
  )
}
