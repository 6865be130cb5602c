// /admin/organizations: all organizations of the installation, with what an administrator decides about each.
import { Building2, SearchX } from 'lucide-react'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useState } from 'react'
import { type AdminOrganization, ORGANIZATION_SORTS, type PlanChoice } from '#shared/organizations/admin.ts'
import { api } from '#web/api.ts'
import { ListSearch } from '#web/components/lists/list-search.tsx'
import { useLastLoaded, useRested } from '#web/components/lists/use-steady.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { usePaginatedQuery, useQuery } from '#web/lib/server/convex.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { OrganizationTable } from './organization-table.tsx'
import { type StandingAct, StandingDialog } from './standing-dialog.tsx'

const PAGE_SIZE = 25

/** Kept in the address. */
const VIEW = {
  search: parseAsString.withDefault(''),
  sort: parseAsStringLiteral(ORGANIZATION_SORTS).withDefault('name'),
}

/** Live, page by page. */
export function OrganizationsPage() {
  const { t } = useTranslation('admin')
  const [{ search, sort }, setView] = useQueryStates(VIEW, { history: 'replace' })
  return (
    <AdminLayout tab="organizations">
      <CardSection title={t(($) => $.organizations.title)} description={t(($) => $.organizations.description)}>
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap gap-2">
            <ListSearch
              className="min-w-0 flex-1 basis-full sm:basis-56"
              label={t(($) => $.organizations.search)}
              value={search}
              onChange={(text) => void setView({ search: text || null })}
            />
            <Select
              className="w-auto flex-1 basis-44 sm:max-w-60"
              aria-label={t(($) => $.organizations.sortLabel)}
              value={sort}
              onValueChange={(next) => void setView({ sort: ORGANIZATION_SORTS.find((each) => each === next) ?? null })}
              options={ORGANIZATION_SORTS.map((each) => ({ value: each, label: t(($) => $.organizations.sort[each]) }))}
            />
          </div>
          <Found search={useRested(search)} sort={sort} onShowAll={() => void setView({ search: null })} />
        </div>
      </CardSection>
    </AdminLayout>
  )
}

type FoundProps = { search: string; sort: (typeof ORGANIZATION_SORTS)[number]; onShowAll: () => void }

function Found({ search, sort, onShowAll }: FoundProps) {
  const { t } = useTranslation('admin')
  const pages = usePaginatedQuery(api.admin.organizations.list, { search, sort }, { initialNumItems: PAGE_SIZE })
  const plans: PlanChoice[] = useQuery(api.admin.organizations.plans, {}) ?? []
  const [asked, setAsked] = useState<StandingAct | null>(null)
  const found = useLastLoaded<AdminOrganization[]>(pages.status === 'LoadingFirstPage' ? undefined : pages.results)
  if (!found) {
    return (
      <Delayed>
        <Skeleton className="h-64" />
      </Delayed>
    )
  }
  return (
    <>
      {found.length === 0 && <Nothing isSearch={search.trim() !== ''} onShowAll={onShowAll} />}
      {found.length > 0 && <OrganizationTable organizations={found} plans={plans} onAsk={setAsked} />}
      {pages.status === 'CanLoadMore' && (
        <Button isForReading className="self-center" onClick={() => pages.loadMore(PAGE_SIZE)}>
          {t(($) => $.more)}
        </Button>
      )}
      {asked && <StandingDialog act={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function Nothing({ isSearch, onShowAll }: { isSearch: boolean; onShowAll: () => void }) {
  const { t } = useTranslation('admin')
  if (!isSearch) return <EmptyState icon={Building2} title={t(($) => $.organizations.none)} />
  return (
    <EmptyState
      icon={SearchX}
      title={t(($) => $.organizations.notFound)}
      description={t(($) => $.organizations.notFoundHint)}
      action={
        <Button isForReading onClick={onShowAll}>
          {t(($) => $.showAll)}
        </Button>
      }
    />
  )
}
